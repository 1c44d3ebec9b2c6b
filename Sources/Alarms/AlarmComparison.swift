// Comparisons between two versions of an alarm, and the codes that an alarm needs.

import Text

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
    /// True if its owner can put its ring off.
    package var isPostponable: Bool { allowsPostponing || challenges.isEmpty }

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

    /// Returns each change from the other alarm by which this one is easier to escape: it is off, has fewer or
    /// easier challenges, is quieter or shorter, or has longer or more snoozes. Another sound counts, because
    /// the loudness of sounds is not compared.
    package func easings(from other: Alarm) -> [Easing] {
        var found: [Easing] = []
        func check(_ path: String, _ isEasier: Bool, _ subject: String, _ rule: String) {
            if isEasier { found.append(Easing(subject, Problem(path, rule))) }
        }
        check("enabled", !isEnabled, "it", "cannot be switched off")
        check("challenges", !isAsHardAs(other), "its challenges", "cannot be made easier")
        check("ring.sound", ring.sound != other.ring.sound, "its sound", "cannot be changed")
        check("ring.volume", ring.volume < other.ring.volume, "its volume", "cannot be lowered")
        check("ring.ramp", ring.rampSeconds > other.ring.rampSeconds, "its volume", "cannot rise more slowly")
        check("ring.for", ring.ringSeconds < other.ring.ringSeconds, "its ring", "cannot be made shorter")
        check("ring.shake", !ring.shakes && other.ring.shakes, "its shaker", "cannot be switched off")
        let isWeaker = ring.sound == other.ring.sound && !isAsEscalatedAs(other)
        check("escalate", isWeaker, "its escalation", "cannot be weakened")
        check("ring.rounds", ring.rounds < other.ring.rounds, "its ring", "cannot have fewer rounds")
        check("ring.rest", ring.restSeconds > other.ring.restSeconds, "its rests", "cannot be made longer")
        check("early", earlySeconds < other.earlySeconds, "its ring", "cannot be made later")
        check("late", lateWindowSeconds < other.lateWindowSeconds, "its late window", "cannot be made shorter")
        check("snooze.seconds", snooze.seconds > other.snooze.seconds, "its snoozes", "cannot be made longer")
        let isMore = snooze.max ?? .max > other.snooze.max ?? .max
        check("snooze.max", isMore, "the number of its snoozes", "cannot be raised")
        check("postpone", allowsPostponing && !other.isPostponable, "its ring", "cannot be put off")
        return found + wakeUpCheckEasings(from: other)
    }
}

/// A change by which an alarm is easier to escape.
package struct Easing: Hashable, Sendable {
    /// The changed thing, such as "its volume".
    private let subject: String
    /// The member, and the rule that the change breaks.
    package let problem: Problem

    package init(_ subject: String, _ problem: Problem) { (self.subject, self.problem) = (subject, problem) }

    /// Text such as "its volume cannot be lowered".
    package var text: String { "\(subject) \(problem.reason)" }
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
