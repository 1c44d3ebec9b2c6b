// One occurrence of one alarm, from due to its end, and how often such ends got its owner up.

import Alarms
import CivilTime

/// What a session goes by, taken from the alarm and the settings when it became due. Nothing that happens to these later
/// touches it.
public struct Terms: Hashable, Sendable {
    /// What the owner called the alarm.
    public var label: String
    /// How it sounds.
    public var ring: RingSettings
    /// How it may be snoozed.
    public var snooze: SnoozeSettings
    /// What must be done to stop it, in this order; a roulette has been drawn already.
    public var challenges: [Challenge]
    /// Whether the owner only tries out how it rings.
    public var isTest: Bool
    /// The shortest and the longest that it can be snoozed.
    public var snoozeBounds = Settings().snoozeBounds
    /// Whether holding both buttons ends it.
    public var hasEmergencyExit = true
}

extension Terms {
    init(of alarm: Alarm, _ settings: Settings, seed: UInt64) {
        self.init(
            label: alarm.label, ring: alarm.ring, snooze: alarm.snooze,
            challenges: alarm.challenges.enumerated().map { $1.drawn(seed: seed, index: $0) }, isTest: false,
            snoozeBounds: settings.snoozeBounds, hasEmergencyExit: settings.hasEmergencyExit)
    }
}

/// How a session ended.
public enum Ending: String, Hashable, Sendable, CaseIterable {
    /// Its challenges were completed, or it had none and was stopped.
    case dismissed
    /// It became due while Rooster could not ring, and was too old when it could again.
    case missed
    /// Nobody answered.
    case unanswered
    /// The emergency way out was taken.
    case emergency
    /// A test ring that was over, or in the way of an alarm.
    case cancelled
}

/// A session, as the records tell it.
public struct Session: Hashable, Sendable {
    /// A while for which it is silent.
    public struct Pause: Hashable, Sendable {
        /// Why it is silent.
        public enum Reason: String, Hashable, Sendable {
            /// Its owner asked for it.
            case snooze
            /// Nobody answered for long.
            case rest
        }

        /// Why it is silent.
        public var reason: Reason
        /// Until when, in milliseconds since 1970.
        public var untilMilliseconds: Int
        /// How long it was to be when it began, as far as that is known; 0 when it is over.
        var milliseconds: Int?
    }

    /// Which alarm, and when it was planned for.
    public let occurrence: Occurrence
    /// What it goes by.
    public let terms: Terms
    /// What decided that the alarm rings then.
    public let layer: Layer?
    /// The revision of the alarm that it was planned by.
    public let revision: Int?
    /// When it began, in milliseconds since 1970.
    public let firedMilliseconds: Int
    /// What its sums and sequences are drawn from.
    public let seed: UInt64
    /// When each completed challenge was completed, in milliseconds since 1970; the first of `terms.challenges` first.
    public internal(set) var doneMilliseconds: [Int] = []
    /// How often it was snoozed.
    public internal(set) var snoozeCount = 0
    /// How often it has rung unanswered until it rested.
    public internal(set) var restCount = 0
    /// How many sums of the open challenge are solved.
    public internal(set) var solvedSumCount = 0
    /// Until then no answer is taken, in milliseconds since 1970; 0 where none was ever refused so.
    public internal(set) var lockedOutUntilMilliseconds = 0
    /// Whether a card or the buzzer has played it.
    public internal(set) var isHeard = false
    /// The session by whose challenges it ended, for they were the same.
    public internal(set) var endedWith: Occurrence?
    /// Its last pause, which may be over.
    public internal(set) var pause: Pause?

    /// How late it began, in whole seconds.
    public var lateSeconds: Int { max(0, firedMilliseconds / 1000 - occurrence.at.secondsSince1970) }

    /// The challenge that is next; nothing when all are completed, or there are none.
    public var openChallenge: Challenge? {
        doneMilliseconds.count < terms.challenges.count ? terms.challenges[doneMilliseconds.count] : nil
    }

    /// Whether too many answers were wrong since the last that was right.
    var isLockedOut: Bool { lockedOutUntilMilliseconds > 0 }

    /// A challenge was completed.
    mutating func complete(_ index: Int, at milliseconds: Int) {
        guard index == doneMilliseconds.count else { return }
        doneMilliseconds.append(milliseconds)
        (solvedSumCount, lockedOutUntilMilliseconds) = (0, 0)
    }

    /// So many sums of a challenge are solved.
    mutating func solve(_ count: Int, of index: Int) {
        guard index == doneMilliseconds.count else { return }
        (solvedSumCount, lockedOutUntilMilliseconds) = (count, 0)
    }

    /// It is silent for a while, for the `count`th time.
    mutating func pause(_ reason: Pause.Reason, count: Int, at milliseconds: Int, until: Int) {
        switch reason {
        case .snooze: snoozeCount = max(snoozeCount, count)
        case .rest: restCount = max(restCount, count)
        }
        pause = Pause(reason: reason, untilMilliseconds: until, milliseconds: until - milliseconds)
    }

    /// Its pause is over, by whatever clock.
    mutating func resume() {
        pause?.milliseconds = 0
    }

    /// Among sessions that ring, the one whose turn came first is heard.
    var turnMilliseconds: Int { pause?.untilMilliseconds ?? firedMilliseconds }
}

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

    init(_ session: Session, _ ending: Ending, endedMilliseconds: Int) {
        self.session = session
        self.ending = ending
        self.endedMilliseconds = endedMilliseconds
        missed = nil
        (occurrence, label) = (session.occurrence, session.terms.label)
    }

    init(_ missed: MissedRings, endedMilliseconds: Int) {
        self.missed = missed
        self.endedMilliseconds = endedMilliseconds
        ending = .missed
        (occurrence, label) = (missed.occurrence, missed.label)
    }
}

extension Collection<PastRing> {
    /// How many of the rings that had challenges were dismissed by them, from 0 to 1; nil where none has rung.
    ///
    /// What was missed has not rung, and tests do not count. A ring without challenges shows of nobody whether he got up. One
    /// that ended with another's challenges, for they were the same, is a success.
    public var successRate: Double? {
        let fired = filter { ring in ring.session.map { !$0.terms.isTest && !$0.terms.challenges.isEmpty } ?? false }
        guard !fired.isEmpty else { return nil }
        return Double(fired.count { $0.ending == .dismissed }) / Double(fired.count)
    }
}
