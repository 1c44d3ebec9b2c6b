// Comparisons between two versions of an alarm, and the codes that an alarm needs.

extension Alarm {
    /// True if the base rings once and no weekday has a time of its own. Such an alarm is switched off after
    /// its last ring.
    package var isOneTime: Bool { recurrence == nil && time != nil && weekly.values.allSatisfy { $0 == .off } }

    /// Returns whether both alarms have the same schedule fields. Skips and pauses are not compared.
    package func hasSameSchedule(as other: Alarm) -> Bool {
        time == other.time && date == other.date && start == other.start && recurrence == other.recurrence
            && weekly == other.weekly && dates == other.dates && calendarName == other.calendarName
            && zoneName == other.zoneName
    }

    /// Returns whether both alarms skip and pause the same days.
    package func hasDaysOff(of other: Alarm) -> Bool { skipped == other.skipped && paused == other.paused }
}

extension Alarm {
    /// Returns whether this alarm's challenges include all of the other's, each at least as hard, in the
    /// same order.
    package func isAsHardAs(_ other: Alarm) -> Bool {
        var rest = challenges[...]
        for challenge in other.challenges {
            guard let index = rest.firstIndex(where: { $0.isAsHardAs(challenge) }) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// Returns whether the ring is at least as loud and long, and its snoozes are no longer and no more
    /// numerous. The answer is false if the sounds differ, because their loudness is not compared.
    package func isAsLoudAs(_ other: Alarm) -> Bool { quieting(of: other) == nil }

    /// Names the first change from the other alarm that weakens its ring; nil if there is none.
    package func weakening(of other: Alarm) -> String? {
        if !isEnabled { return "it cannot be switched off" }
        if !isAsHardAs(other) { return "its challenges cannot be made easier" }
        return quieting(of: other)
    }

    private func quieting(of other: Alarm) -> String? {
        let changes = [
            (ring.sound != other.ring.sound, "its sound cannot be changed"),
            (ring.volume < other.ring.volume, "its volume cannot be lowered"),
            (ring.rampSeconds > other.ring.rampSeconds, "its volume cannot rise more slowly"),
            (ring.ringSeconds < other.ring.ringSeconds, "its ring cannot be made shorter"),
            (lateWindowSeconds < other.lateWindowSeconds, "its late window cannot be made shorter"),
            (snooze.seconds > other.snooze.seconds, "its snoozes cannot be made longer"),
            (snooze.max ?? .max > other.snooze.max ?? .max, "it cannot have more snoozes"),
        ]
        return changes.first { $0.0 }?.1
    }
}

extension Challenge {
    package func isAsHardAs(_ other: Challenge) -> Bool {
        switch (task, other.task) {
        case (.code(let mine), .code(let others)), (.tag(let mine), .tag(let others)):
            // An additional code could be one beside the bed.
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
    /// Returns whether a code or tag with this label can complete one of the alarm's challenges.
    package func needs(_ label: String) -> Bool {
        challenges.contains { $0.labels.contains(label) }
    }
}

extension Challenge {
    /// The labels of the codes and tags that can complete the alarm's challenges.
    package var labels: [String] {
        switch task {
        case .code(let labels), .tag(let labels): labels
        case .roulette(let choices): choices.flatMap(\.labels)
        case .sums, .steps, .pattern, .unknown: []
        }
    }
}

extension Alarm {
    /// The alarm without rules for weekdays, entries for dates, skips and pauses.
    package var ruleAlone: Alarm {
        var alarm = self
        (alarm.weekly, alarm.dates, alarm.skipped, alarm.paused) = ([:], [:], DateSet(), DateSet())
        return alarm
    }
}
