// The wake-up check of an alarm: after its challenges, Rooster asks once more whether its owner is awake.

import JSON
import Text

package struct WakeUpCheck: Hashable, Sendable {
    /// The time from the last challenge to the question.
    package var afterSeconds = 300
    /// The time for an answer. Without one, the alarm rings again.
    package var withinSeconds = 180
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}

    package init(after seconds: Int, within answerSeconds: Int) {
        (afterSeconds, withinSeconds) = (seconds, answerSeconds)
    }

    /// The number of times that an alarm rings again. The challenges of the last ring end it.
    package static let failuresMax = 3

    package static let afterRange = 60...3600
    package static let withinRange = 30...600
}

extension WakeUpCheck: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("after", &afterSeconds)
        table.member("within", &withinSeconds)
    }
}

extension Alarm {
    /// Every reason why the check cannot be kept, and the warning about one without an effect.
    var wakeUpCheckProblems: [Problem] {
        guard let check = wakeUpCheck else { return [] }
        var problems: [Problem] = []
        let parts = [
            ("after", check.afterSeconds, WakeUpCheck.afterRange),
            ("within", check.withinSeconds, WakeUpCheck.withinRange),
        ]
        for (member, seconds, range) in parts where !range.contains(seconds) {
            let rule = "must be between \(range.lowerBound) and \(range.upperBound) seconds"
            problems.append(Problem("check.\(member)", "\(rule), not \(seconds)"))
        }
        if challenges.isEmpty {
            problems.append(
                Problem("check", "has no effect without challenges: a stop ends such an alarm", .warning))
        }
        return problems
    }

    /// Returns each change of the other alarm's check by which the owner could escape it. Another time counts as
    /// well: soon after the challenges, the owner is still up.
    func wakeUpCheckEasings(from other: Alarm) -> [Easing] {
        guard let old = other.wakeUpCheck else { return [] }
        guard let check = wakeUpCheck else {
            return [Easing("its wake-up check", Problem("check", "cannot be removed"))]
        }
        var found: [Easing] = []
        if check.afterSeconds != old.afterSeconds {
            found.append(Easing("its wake-up check", Problem("check.after", "cannot be moved")))
        }
        if check.withinSeconds > old.withinSeconds {
            let rule = Problem("check.within", "cannot be made longer")
            found.append(Easing("the time for its wake-up check", rule))
        }
        return found
    }
}
