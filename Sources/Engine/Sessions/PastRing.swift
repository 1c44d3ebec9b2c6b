// What is over: a session that has ended, or rings that were missed.

import Alarms
import CivilTime

/// Occurrences of one alarm that were too old when they could have rung, as one.
public struct MissedRings: Hashable, Sendable {
    /// The last of them.
    public var occurrence: Occurrence
    /// The first of them.
    public var first: Instant
    /// What the owner called the alarm.
    public var label: String
    /// How late they would have rung.
    public var lateWindowSeconds: Int
    /// The revision of the alarm.
    public var revision: Int
    /// Whether that has no ring left: a one-time alarm is switched off.
    public var switchesOff: Bool

    package init(
        occurrence: Occurrence, first: Instant, label: String, lateWindowSeconds: Int, revision: Int,
        switchesOff: Bool
    ) {
        (self.occurrence, self.first, self.label) = (occurrence, first, label)
        (self.lateWindowSeconds, self.revision, self.switchesOff) = (lateWindowSeconds, revision, switchesOff)
    }
}

/// A session that is over, or occurrences that never became one.
public struct PastRing: Hashable, Sendable {
    /// How it ended.
    public let ending: Ending
    /// When it ended, in milliseconds since 1970.
    public let endedMilliseconds: Int
    /// How it went; nil where it never rang.
    public internal(set) var session: Session?
    /// What was missed; nil where it rang.
    public let missed: MissedRings?
    /// Which alarm, and when it was planned for; of several that were missed one after the other, the last.
    public let occurrence: Occurrence
    /// What the owner called the alarm.
    public let label: String

    /// Whether it rang, and nothing played it. What ended with another rang behind that.
    public var isUnheard: Bool { session.map { !$0.isHeard && $0.endedWith == nil } ?? false }

    package init(_ session: Session, _ ending: Ending, endedMilliseconds: Int) {
        self.ending = ending
        self.endedMilliseconds = endedMilliseconds
        missed = nil
        (occurrence, label) = (session.occurrence, session.terms.label)
        var ended = session
        ended.end(ending)
        self.session = ended
    }

    package init(_ missed: MissedRings, endedMilliseconds: Int) {
        self.missed = missed
        self.endedMilliseconds = endedMilliseconds
        ending = .missed
        (occurrence, label) = (missed.occurrence, missed.label)
    }
}

extension Collection<PastRing> {
    /// How many of the rings that had challenges were dismissed by them or by another's that were the same, from 0 to 1; nil
    /// where none has rung. What was missed has not rung, and tests do not count.
    public var successRate: Double? {
        let fired = filter { ring in ring.session.map { !$0.terms.isTest && !$0.terms.challenges.isEmpty } ?? false }
        guard !fired.isEmpty else { return nil }
        return Double(fired.count { $0.ending == .dismissed }) / Double(fired.count)
    }
}
