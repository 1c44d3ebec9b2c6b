// The history: sessions that have ended, and rings that were missed.

import Agenda
import Alarms
import CivilTime

/// A session that has ended, or rings that were missed.
package struct PastRing: Hashable, Sendable {
    package let ending: Ending
    /// The time of the end, in milliseconds since 1970.
    package let endedMilliseconds: Int
    /// The session; nil if the ring was missed.
    package internal(set) var session: Session?
    /// The missed rings; nil if the alarm rang.
    package let missed: MissedRings?
    /// The ring that was done ahead of time; nil for any other.
    package let ahead: DoneAhead?
    /// When and by whom the ring was reported as done; nil if it was not.
    package var done: DoneMark?
    /// The alarm and the instant of its ring; for several missed rings, the last.
    package let occurrence: Occurrence
    package let label: String

    package var note: String { session?.terms.note ?? missed?.note ?? ahead?.note ?? "" }
    package var category: String { session?.terms.category ?? missed?.category ?? ahead?.category ?? "" }

    /// The instant at which it was to ring.
    var due: Instant { session?.due ?? missed?.last ?? occurrence.at }

    /// True if the shaker was ordered to shake for it.
    package var isShaken: Bool { session?.isShaken ?? false }

    /// True if the alarm rang and no speaker played it. A session that ended with another does not count.
    package var isUnheard: Bool { session.map { !$0.isHeard && $0.endedWith == nil } ?? false }

    package init(_ session: Session, _ ending: Ending, endedMilliseconds: Int) {
        self.ending = ending
        self.endedMilliseconds = endedMilliseconds
        (missed, ahead) = (nil, nil)
        (occurrence, label) = (session.occurrence, session.terms.label)
        var ended = session
        ended.end(ending)
        self.session = ended
    }

    package init(_ missed: MissedRings, endedMilliseconds: Int) {
        (self.missed, ahead) = (missed, nil)
        self.endedMilliseconds = endedMilliseconds
        ending = .missed
        (occurrence, label) = (missed.occurrence, missed.label)
    }

    package init(_ occurrence: Occurrence, _ ahead: DoneAhead, _ done: DoneMark) {
        (self.occurrence, self.ahead, self.done) = (occurrence, ahead, done)
        (missed, ending, endedMilliseconds, label) = (nil, .done, done.milliseconds, ahead.label)
    }
}

extension Collection<PastRing> {
    /// The share of rings whose challenges were completed, from 0 to 1, and their number; nil for none. Tests do
    /// not count.
    package var success: (rate: Double, count: Int)? {
        let fired = filter { ring in
            ring.ending != .postponed && ring.session.map { !$0.terms.isTest && !$0.terms.challenges.isEmpty } ?? false
        }
        guard !fired.isEmpty else { return nil }
        return (Double(fired.count { $0.ending == .dismissed }) / Double(fired.count), fired.count)
    }
}

/// The past rings, the oldest first.
package struct PastRings: Sendable {
    package private(set) var rings: [PastRing] = []
    /// The last ring of each alarm, if it was missed or unanswered and is not done.
    private(set) var open: [Alarm.ID: PastRing] = [:]

    /// The number of newer rings that must agree on the time before a past ring is dropped by age.
    private static let agreeingRingsMin = 200
    /// The time for which past rings are kept at least.
    private static let milliseconds = 400 * 86_400_000
    /// The bound on past rings, more than a hostel has in a year. The oldest are dropped.
    static let countMax = 20_000
    private static let countMin = countMax * 9 / 10

    mutating func add(_ ring: PastRing) {
        rings.append(ring)
        updateOpen(with: ring)
        guard
            rings.count > PastRings.countMax
                || rings[0].endedMilliseconds < ring.endedMilliseconds - PastRings.milliseconds
        else { return }
        let oldest = now - PastRings.milliseconds
        // Drops many at once, because each removal moves all the others.
        let tooMany = rings.count > PastRings.countMax ? rings.count - PastRings.countMin : 0
        let tooOld = rings.prefix { $0.endedMilliseconds < oldest }.count
        rings.removeFirst(max(tooMany, tooOld))
        findOpen()
    }

    private mutating func updateOpen(with ring: PastRing) {
        let isOpen = ring.done == nil && (ring.ending == .missed || ring.ending == .unanswered)
        open[ring.occurrence.alarm] = isOpen ? ring : nil
    }

    private mutating func findOpen() {
        open = [:]
        for ring in rings { updateOpen(with: ring) }
    }

    /// Returns the last ring of an alarm that did not only move to a later time.
    func last(of id: Alarm.ID) -> PastRing? { rings.last { $0.occurrence.alarm == id && $0.ending != .postponed } }

    mutating func markDone(_ occurrence: Occurrence, _ done: DoneMark) {
        guard let index = rings.lastIndex(where: { $0.occurrence == occurrence }) else { return }
        rings[index].done = done
        if open[occurrence.alarm]?.occurrence == occurrence { open[occurrence.alarm] = nil }
    }

    /// The earliest end among the last rings. If a clock was ahead for a moment, it must not drop the
    /// history.
    private var now: Int {
        rings.count < PastRings.agreeingRingsMin
            ? .min / 2 : rings.suffix(PastRings.agreeingRingsMin).map(\.endedMilliseconds).min() ?? 0
    }

    /// Removes and returns the misses that a step back of the clock takes back: those in the future now, or
    /// within the late window. Rings of a group that are still too old will be recorded again.
    mutating func revokeMissed(at now: Instant) -> [MissedRings] {
        func isTakenBack(_ missed: MissedRings) -> Bool {
            missed.last >= now.advanced(by: -max(missed.lateWindowSeconds, Agenda.lateSecondsMin))
        }
        let taken = rings.compactMap(\.missed).filter(isTakenBack)
        rings.removeAll { $0.missed.map(isTakenBack) ?? false }
        if !taken.isEmpty { findOpen() }
        return taken
    }

    /// Drops the rings that ended before this time.
    mutating func clear(before milliseconds: Int) {
        rings.removeAll { $0.endedMilliseconds < milliseconds }
        findOpen()
    }

    /// Returns true if a missed ring has switched off this revision of an alarm.
    func isMissed(_ id: Alarm.ID, revision: Int) -> Bool {
        rings.contains { ring in
            ring.missed.map { $0.occurrence.alarm == id && $0.revision == revision && $0.switchesOff } ?? false
        }
    }

    /// Ends a session that was put off on the disk, and ended otherwise while that was being written.
    mutating func endPostponed(_ occurrence: Occurrence, _ ending: Ending, at milliseconds: Int) {
        guard let index = rings.lastIndex(where: { $0.occurrence == occurrence }), rings[index].ending == .postponed,
            let session = rings[index].session
        else { return }
        rings[index] = PastRing(session, ending, endedMilliseconds: milliseconds)
        findOpen()
    }

    /// Changes a session that has just ended: a request from before its end may become durable after it.
    mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        guard let index = rings.lastIndex(where: { $0.session?.occurrence == occurrence }),
            var session = rings[index].session
        else { return }
        change(&session)
        session.end(rings[index].ending)
        rings[index].session = session
    }
}
