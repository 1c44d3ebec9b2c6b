// One occurrence of one alarm, from due to its end.

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
    public var snoozeBounds: ClosedRange<Int>
    /// Whether holding both buttons ends it.
    public var hasEmergencyExit: Bool

    init(of alarm: Alarm, _ settings: Settings, seed: UInt64) {
        label = alarm.label
        ring = alarm.ring
        snooze = alarm.snooze
        challenges = alarm.challenges.enumerated().map { $1.drawn(seed: seed, index: $0) }
        isTest = false
        snoozeBounds = settings.snoozeBounds
        hasEmergencyExit = settings.hasEmergencyExit
    }

    init(
        label: String, ring: RingSettings, snooze: SnoozeSettings, challenges: [Challenge], isTest: Bool,
        snoozeBounds: ClosedRange<Int> = Settings().snoozeBounds, hasEmergencyExit: Bool = true
    ) {
        self.label = label
        self.ring = ring
        self.snooze = snooze
        self.challenges = challenges
        self.isTest = isTest
        self.snoozeBounds = snoozeBounds
        self.hasEmergencyExit = hasEmergencyExit
    }

    /// The length of a snooze of which so much was asked for.
    func snoozeSeconds(asked seconds: Int) -> Int {
        min(max(seconds, snoozeBounds.lowerBound), snoozeBounds.upperBound)
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
    /// When the alarm was saved that it was planned by.
    public let alarmSince: Instant?
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
    /// Its last pause, which may be over.
    public internal(set) var pause: Pause?

    init(
        _ occurrence: Occurrence, terms: Terms, layer: Layer?, alarmSince: Instant?, firedMilliseconds: Int,
        seed: UInt64
    ) {
        self.occurrence = occurrence
        self.terms = terms
        self.layer = layer
        self.alarmSince = alarmSince
        self.firedMilliseconds = firedMilliseconds
        self.seed = seed
    }

    /// How late it began, in whole seconds.
    public var lateSeconds: Int { max(0, firedMilliseconds / 1000 - occurrence.at.secondsSince1970) }

    /// The challenge that is next; nothing when all are completed, or there are none.
    public var openChallenge: Challenge? {
        doneMilliseconds.count < terms.challenges.count ? terms.challenges[doneMilliseconds.count] : nil
    }

    /// It is silent for a while.
    mutating func pause(_ reason: Pause.Reason, at milliseconds: Int, until: Int) {
        pause = Pause(reason: reason, untilMilliseconds: until, milliseconds: until - milliseconds)
    }

    /// Its pause is over, by whatever clock.
    mutating func resume() {
        pause?.milliseconds = 0
    }

    /// Among sessions that ring, the one whose turn came first is heard.
    var turnMilliseconds: Int { pause?.untilMilliseconds ?? firedMilliseconds }
}

/// A session that is over, or an occurrence that never became one.
public struct PastRing: Hashable, Sendable {
    /// Which alarm, and when it was planned for; of several that were missed one after the other, the last.
    public private(set) var occurrence: Occurrence
    /// What the owner called the alarm.
    public let label: String
    /// How it ended.
    public let ending: Ending
    /// When it ended, in milliseconds since 1970.
    public let endedMilliseconds: Int
    /// How it went; nothing where it never rang.
    public internal(set) var session: Session?
    /// The first of several occurrences that were missed one after the other.
    public private(set) var firstMissed: Instant?
    /// How late they would have rung; nothing where that was not written down.
    public internal(set) var lateWindowSeconds: Int?
    /// The version of the alarm that was switched off because it had no other ring.
    public internal(set) var switchedOff: Instant?

    /// Whether its alarm was deleted since: another one of that id has nothing to do with it.
    var isOrphan = false

    /// What is left of several that were missed one after the other if those after an instant were not; nothing if the first
    /// was not. What is dropped is looked at again.
    func missed(until instant: Instant) -> PastRing? {
        guard session == nil, occurrence.at > instant else { return self }
        guard let firstMissed, firstMissed <= instant else { return nil }
        var shortened = self
        shortened.occurrence = Occurrence(alarm: occurrence.alarm, at: firstMissed)
        shortened.switchedOff = nil
        return shortened
    }
}
