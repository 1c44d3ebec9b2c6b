// One occurrence of one alarm, from the moment it is due to its end.

import Alarms

/// What a session goes by, copied from the alarm and the settings when it became due: later edits do not touch it.
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

    package init(
        label: String, ring: RingSettings, snooze: SnoozeSettings, challenges: [Challenge], isTest: Bool,
        snoozeBounds: ClosedRange<Int> = Settings().snoozeBounds, hasEmergencyExit: Bool = true
    ) {
        (self.label, self.ring, self.snooze, self.challenges) = (label, ring, snooze, challenges)
        (self.isTest, self.snoozeBounds, self.hasEmergencyExit) = (isTest, snoozeBounds, hasEmergencyExit)
    }
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

/// One ring of one alarm, from due to its end.
///
/// Facts make it, and replaying them makes it again; but `timing`, by the machine's uptime, is worked out anew by each start.
public struct Session: Hashable, Sendable {
    /// What it does now.
    public enum State: Hashable, Sendable {
        /// It rings. Of those that ring, one is heard, and the others wait.
        case ringing
        /// It rings, and one of its challenges was begun.
        case challenged
        /// Its owner asked for a while of silence.
        case snoozed(Pause)
        /// Nobody answered: it is silent for a while before it rings once more.
        case resting(Pause)
        case ended(Ending)
    }

    /// A while for which it is silent.
    public struct Pause: Hashable, Sendable {
        /// Until when, in milliseconds since 1970, as it was written down last.
        public var untilMilliseconds: Int
        /// How long that was from then.
        var milliseconds: Int
        /// When it is over; nil until the service has started.
        var untilUptime: Int?
        /// Whether `untilUptime` was worked out from a clock that is not trusted.
        var isDoubtful = false
    }

    /// What is reckoned by the machine's uptime.
    struct Timing: Hashable, Sendable {
        /// When the session began, or was found by the start.
        let startUptime: Int
        /// When its volume began to rise, or would have if it had never been silent; while it is silent, by how far it had risen.
        var rampStartUptime: Int
        var risenMilliseconds = 0
        var turn: Int
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
    /// What it does now.
    public private(set) var state = State.ringing
    /// When each completed challenge was completed, in milliseconds since 1970; the first of `terms.challenges` first.
    public package(set) var doneMilliseconds: [Int] = []
    /// How often it was snoozed.
    public package(set) var snoozeCount = 0
    /// How often it has rung unanswered until it rested.
    public package(set) var restCount = 0
    /// How many sums of the open challenge are solved.
    public package(set) var solvedSumCount = 0
    /// Until then no answer is taken, in milliseconds since 1970; 0 where none was ever refused so.
    public package(set) var lockedOutUntilMilliseconds = 0
    /// Whether a card or the buzzer has played it.
    public package(set) var isHeard = false
    /// The session by whose challenges it ended, for they were the same.
    public package(set) var endedWith: Occurrence?
    /// When it last began to ring, or was to: a start gives the turns in this order.
    private(set) var turnMilliseconds: Int
    /// Nil until the service has started.
    private(set) var timing: Timing?

    package init(
        occurrence: Occurrence, terms: Terms, layer: Layer?, revision: Int?, firedMilliseconds: Int, seed: UInt64
    ) {
        (self.occurrence, self.terms, self.layer, self.revision) = (occurrence, terms, layer, revision)
        (self.firedMilliseconds, self.seed, turnMilliseconds) = (firedMilliseconds, seed, firedMilliseconds)
    }

    /// Of several that ring, the one with the lowest turn is heard.
    var turn: Int { timing?.turn ?? .max }

    /// How late it began, in whole seconds.
    public var lateSeconds: Int { max(0, firedMilliseconds / 1000 - occurrence.at.secondsSince1970) }

    /// The challenge that is next; nothing when all are completed, or there are none.
    public var openChallenge: Challenge? {
        doneMilliseconds.count < terms.challenges.count ? terms.challenges[doneMilliseconds.count] : nil
    }

    /// Whether it rings, heard or not.
    public var isRinging: Bool {
        switch state {
        case .ringing, .challenged: true
        case .snoozed, .resting, .ended: false
        }
    }

    /// Its pause, if it is silent.
    public var pause: Pause? {
        switch state {
        case .snoozed(let pause), .resting(let pause): pause
        case .ringing, .challenged, .ended: nil
        }
    }

    /// What comes of the wish for a while of silence.
    enum Snooze {
        case granted(count: Int, left: Int?, seconds: Int, isClamped: Bool)
        case refused(Refusal)
    }

    /// Its owner wants silence for so many seconds, or as many as the alarm says.
    func snooze(for seconds: Int?) -> Snooze {
        if let max = terms.snooze.max, snoozeCount >= max { return .refused(.noSnoozeLeft(max: max)) }
        let wanted = seconds ?? terms.snooze.seconds
        let held = min(max(wanted, terms.snoozeBounds.lowerBound), terms.snoozeBounds.upperBound)
        return .granted(
            count: snoozeCount + 1, left: terms.snooze.max.map { $0 - snoozeCount - 1 }, seconds: held,
            isClamped: held != wanted)
    }

    // MARK: what the facts say

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

    /// It is snoozed for the `count`th time; or the end of that snooze is written down anew, for the clock was set.
    mutating func snooze(count: Int, at milliseconds: Int, until: Int) {
        snoozeCount = max(snoozeCount, count)
        state = .snoozed(pause(at: milliseconds, until: until))
    }

    /// It rests for the `count`th time; or the end of that rest is written down anew.
    mutating func rest(count: Int, at milliseconds: Int, until: Int) {
        restCount = max(restCount, count)
        state = .resting(pause(at: milliseconds, until: until))
    }

    private mutating func pause(at milliseconds: Int, until: Int) -> Pause {
        turnMilliseconds = until
        return Pause(
            untilMilliseconds: until, milliseconds: until - milliseconds, untilUptime: pause?.untilUptime,
            isDoubtful: pause?.isDoubtful ?? false)
    }

    /// Its pause is over, by whatever clock.
    mutating func resume() {
        if pause != nil { state = .ringing }
    }

    mutating func end(_ ending: Ending) {
        (state, timing, turnMilliseconds) = (.ended(ending), nil, firedMilliseconds)
    }

    // MARK: what the uptime says

    /// It begins to ring, or a start finds it ringing: its volume has risen for so long already.
    mutating func ring(risenMilliseconds: Int, turn: Int, at uptime: Int) {
        state = .ringing
        timing = Timing(startUptime: uptime, rampStartUptime: uptime - risenMilliseconds, turn: turn)
    }

    /// A start finds it silent, for so long still.
    mutating func stayPaused(for leftMilliseconds: Int, risenMilliseconds: Int, isDoubtful: Bool, at uptime: Int) {
        timing = Timing(startUptime: uptime, rampStartUptime: uptime - risenMilliseconds, turn: 0)
        fallSilent(until: uptime + leftMilliseconds, isDoubtful: isDoubtful, at: uptime)
    }

    /// It falls silent, and its volume rises no further meanwhile.
    mutating func fallSilent(until untilUptime: Int, isDoubtful: Bool = false, at uptime: Int) {
        if let start = timing?.rampStartUptime { timing?.risenMilliseconds = uptime - start }
        endPause(at: untilUptime, isDoubtful: isDoubtful)
    }

    /// The end of its pause is known now. No pause becomes longer by that.
    mutating func shorten(to untilUptime: Int) {
        guard let pause, pause.isDoubtful, let until = pause.untilUptime else { return }
        endPause(at: min(until, untilUptime), isDoubtful: false)
    }

    /// It rings again, as loud as it was.
    mutating func ringAgain(turn: Int, at uptime: Int) {
        if let risen = timing?.risenMilliseconds { timing?.rampStartUptime = uptime - risen }
        timing?.turn = turn
        state = .ringing
    }

    /// A challenge of it was begun, or is left.
    mutating func challenge(_ isBegun: Bool) {
        if isRinging { state = isBegun ? .challenged : .ringing }
    }

    private mutating func endPause(at uptime: Int, isDoubtful: Bool) {
        guard var pause else { return }
        (pause.untilUptime, pause.isDoubtful) = (uptime, isDoubtful)
        if case .snoozed = state { state = .snoozed(pause) } else { state = .resting(pause) }
    }
}

/// Where a session stands, from an alarm that is planned to its end.
public enum Phase: Hashable, Sendable {
    case planned
    /// It rings: heard, with a challenge begun, or behind another that is heard.
    case ringing, challenged, waiting
    case snoozed, resting
    case ended(Ending)

    /// What may become of a session in each phase.
    public static let steps: [Phase: Set<Phase>] = [
        .planned: [.ringing, .challenged, .waiting, .ended(.missed)],
        .ringing: [
            .challenged, .snoozed, .resting, .ended(.dismissed), .ended(.unanswered), .ended(.emergency),
        ],
        .challenged: [.ringing, .snoozed, .resting, .ended(.dismissed), .ended(.unanswered), .ended(.emergency)],
        // What is silent is unanswered when the clock turns out to have stood for half a day.
        .waiting: [.ringing, .challenged, .ended(.dismissed), .ended(.unanswered), .ended(.emergency)],
        .snoozed: [
            .ringing, .challenged, .waiting, .ended(.dismissed), .ended(.unanswered), .ended(.emergency),
        ],
        .resting: [
            .ringing, .challenged, .waiting, .ended(.dismissed), .ended(.unanswered), .ended(.emergency),
        ],
    ]
}
