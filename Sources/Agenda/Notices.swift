// Notices: silent prompts ahead of a ring.

import Alarms
import CivilTime

/// A notice that was given: the instant of its ring, and the seconds by which it precedes the ring.
///
/// It is stored with its alarm, so no restart and no step of the clock repeats it. A notice that is due and
/// was not given is given late, as long as its ring is still to come.
package struct GivenNotice: Hashable, Sendable {
    package let ring: Instant
    package let seconds: Int

    /// The bound on the given notices of an alarm. An alarm that rings daily has notices of 31 rings at most.
    static let perAlarm = 64
}

extension AlarmEntry {
    /// The seconds of the earliest notice; nil if the alarm has none.
    fileprivate var longestLead: Int? { alarm.notices.map(\.seconds).max() }

    fileprivate func given(for ring: PlannedRing) -> GivenNotice? { given.first { $0.ring == ring.at } }

    /// The leads of the notices that were not given for a ring. A notice replaces those before it.
    fileprivate func leads(left ring: PlannedRing) -> [Int] {
        let last = given(for: ring)?.seconds ?? .max
        return alarm.notices.map(\.seconds).filter { $0 < last }
    }

    /// True if a notice of this ring was given.
    func hasNotice(of ring: PlannedRing) -> Bool { !alarm.notices.isEmpty && given(for: ring) != nil }
}

extension AlarmBook {
    package mutating func giveNotice(of ring: Occurrence, seconds: Int) {
        change(ring.alarm) { entry in
            let others = entry.given.filter { $0.ring != ring.at }
            return entry.with(given: others + [GivenNotice(ring: ring.at, seconds: seconds)])
        }
    }
}

extension Agenda {
    /// Returns the next notice of an alarm: its ring, moved to the time of the notice. `next` is the next ring.
    func nextNotice(of entry: AlarmEntry, before next: PlannedRing?) -> PlannedRing? {
        guard let longest = entry.longestLead else { return nil }
        var (notice, coming): (PlannedRing?, PlannedRing?) = (nil, ringToCome(of: entry, from: next))
        while let ring = coming, notice.map({ ring.at.advanced(by: -longest) < $0.at }) ?? true {
            if let at = entry.leads(left: ring).max().map({ ring.at.advanced(by: -$0) }),
                notice.map({ at < $0.at }) ?? true
            {
                notice = ring.moved(to: at)
            }
            coming = self.ring(of: entry, after: ring.at)
        }
        return notice
    }

    /// Returns the rings to come of which a notice is due, with the lead of the latest one that is.
    package func dueNotices(of entry: AlarmEntry) -> [(ring: PlannedRing, seconds: Int)] {
        var notices: [(ring: PlannedRing, seconds: Int)] = []
        var coming = ringToCome(of: entry, from: due[entry.id])
        while let ring = coming, case let left = ring.at.seconds(since: clock.instant), left <= entry.longestLead ?? 0 {
            if let lead = entry.leads(left: ring).filter({ left <= $0 }).min() { notices.append((ring, lead)) }
            coming = self.ring(of: entry, after: ring.at)
        }
        return notices
    }

    /// Returns the first ring to come. If the clock was set over many rings, they are passed at once.
    private func ringToCome(of entry: AlarmEntry, from next: PlannedRing?) -> PlannedRing? {
        next.flatMap { $0.at > clock.instant ? $0 : ring(of: entry, after: clock.instant) }
    }
}
