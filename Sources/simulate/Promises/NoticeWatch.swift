// Promise 9: each notice is given once, at its time or late.

import Alarms
import Engine

/// The checker's record of the notices that were given.
struct NoticeWatch {
    /// The lead of the last notice of each ring. Rings are seconds since 1970.
    private var given: [Alarm.ID: [Int: Int]] = [:]
    /// The time of the first notice that was not given, by the best-known clock.
    private(set) var nextDue: Int?

    /// A start finds the notices whose records are durable. The others are given again.
    mutating func restarted(_ entries: [Entry]) {
        given = [:]
        for entry in entries {
            switch entry.fact {
            case .noticeGiven(let ring, let seconds): given[ring.alarm, default: [:]][ring.second] = seconds
            case .alarmDeleted(let id, _): given[id] = nil
            default: break
            }
        }
    }

    mutating func forget(_ id: Alarm.ID) { given[id] = nil }

    mutating func prompted(_ ring: PlannedRing, _ alarm: Alarm?, now: Int, _ checker: InvariantChecker) {
        guard let alarm else { return }
        let second = ring.at.secondsSince1970
        let lead = alarm.notices.map(\.seconds).filter { (second - $0) * 1000 <= now }.min()
        guard let lead, now < second * 1000 else {
            return checker.report(.notices, "a notice of \(ring.occurrence) was given at \(now)")
        }
        if let last = given[alarm.id]?[second], last <= lead {
            checker.report(.notices, "the notice of \(ring.occurrence) \(last) s ahead was given again")
        }
        given[alarm.id, default: [:]][second] = lead
    }

    /// Checks the notices of all announced rings.
    mutating func check(
        _ alarms: [Alarm.ID: ExpectedRings.TrackedAlarm], now: Int, isCalled: Bool, _ checker: InvariantChecker
    ) {
        nextDue = nil
        let grace = isCalled ? 0 : ExpectedRings.graceMilliseconds
        for (id, tracked) in alarms {
            guard tracked.isOn, let next = tracked.next, next * 1000 > now else { continue }
            let last = given[id]?[next] ?? .max
            for lead in tracked.plan.alarm.notices.map(\.seconds) where lead < last {
                let due = (next - lead) * 1000
                if due + grace <= now {
                    checker.report(.notices, "the notice of \(Occurrence(id, next)) \(lead) s ahead was not given")
                }
                nextDue = min(nextDue ?? .max, due)
            }
        }
    }
}
