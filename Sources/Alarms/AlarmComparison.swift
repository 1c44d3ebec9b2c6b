// Two versions of an alarm compared, and what an alarm needs: whatever decides about changes asks this.

extension Alarm {
    /// Whether its base rings once, and no weekday has a time of its own: it is switched off after its last ring.
    package var isOneTime: Bool { recurrence == nil && time != nil && weekly.values.allSatisfy { $0 == .off } }

    /// Whether both are to ring at the same times by the owner's words, days left out aside.
    package func hasSameSchedule(as other: Alarm) -> Bool {
        time == other.time && date == other.date && start == other.start && recurrence == other.recurrence
            && weekly == other.weekly && dates == other.dates && calendarName == other.calendarName
            && zoneName == other.zoneName
    }

    /// Whether both leave out the same days.
    package func hasDaysOff(of other: Alarm) -> Bool { skipped == other.skipped && paused == other.paused }
}

extension Alarm {
    /// Whether everything that had to be done to stop the other must be done to stop this, in the same order.
    package func isAsHardAs(_ other: Alarm) -> Bool {
        var rest = challenges[...]
        for challenge in other.challenges {
            guard let index = rest.firstIndex(where: { $0.isAsHardAs(challenge) }) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// Whether its ring is at least as loud and as long, and cannot be snoozed longer. Different sounds are not compared.
    package func isAsLoudAs(_ other: Alarm) -> Bool {
        ring.sound == other.ring.sound
            && ring.volume >= other.ring.volume && ring.rampSeconds <= other.ring.rampSeconds
            && ring.ringSeconds >= other.ring.ringSeconds && lateWindowSeconds >= other.lateWindowSeconds
            && snooze.seconds <= other.snooze.seconds && snooze.max ?? .max <= other.snooze.max ?? .max
    }
}

extension Challenge {
    package func isAsHardAs(_ other: Challenge) -> Bool {
        switch (task, other.task) {
        case (.code(let mine), .code(let others)), (.tag(let mine), .tag(let others)):
            // One more code may be one beside the bed.
            !mine.isEmpty && Set(mine).isSubset(of: others)
        case (.sums(let level, let count, let limit), .sums(let otherLevel, let otherCount, let otherLimit)):
            level >= otherLevel && count >= otherCount && limit <= otherLimit
        case (.steps(let count), .steps(let otherCount)): count >= otherCount
        case (.pattern(let length), .pattern(let otherLength)): length >= otherLength
        default: task == other.task
        }
    }
}

extension Alarm {
    /// Whether a code or tag of that name is one of those that can meet a challenge of it.
    package func needs(_ label: String) -> Bool {
        challenges.contains { $0.labels.contains(label) }
    }
}

extension Challenge {
    /// The names of the codes and tags that can meet it.
    package var labels: [String] {
        switch task {
        case .code(let labels), .tag(let labels): labels
        case .roulette(let choices): choices.flatMap(\.labels)
        case .sums, .steps, .pattern, .unknown: []
        }
    }
}

extension Alarm {
    /// Without what its owner says about weekdays and dates.
    package var ruleAlone: Alarm {
        var alarm = self
        (alarm.weekly, alarm.dates, alarm.skipped, alarm.paused) = ([:], [:], DateSet(), DateSet())
        return alarm
    }
}
