// A session: one occurrence of an alarm, from the moment it is due to its end.

import Alarms
import CivilTime
import Text

/// The terms of a session, copied from the alarm and the settings when it became due. Later edits do not
/// change them.
package struct Terms: Hashable, Sendable {
    package var label: String
    package var ring: RingSettings
    package var snooze: SnoozeSettings
    /// The challenges that stop the session, in this order; a roulette is already drawn.
    package var challenges: [Challenge]
    package var isTest: Bool
    /// The shortest and the longest snooze, in seconds.
    package var snoozeBounds: ClosedRange<Int>
    /// True if holding both buttons ends the session.
    package var hasEmergencyExit: Bool
    /// The alarm's note and category, for the sleeper to read.
    package var note = ""
    package var category = ""
    /// The steps by which it escalates.
    package var escalation: [EscalationStep] = []
    /// True if the ring can be put off although it has challenges.
    package var allowsPostponing = false
    /// The length of the sunrise before it; 0 for no light.
    package var lightSeconds = 0
    /// The check that follows the challenges; nil for none.
    package var wakeUpCheck: WakeUpCheck?

    package init(
        label: String, ring: RingSettings, snooze: SnoozeSettings, challenges: [Challenge], isTest: Bool,
        snoozeBounds: ClosedRange<Int> = Settings().snoozeBounds, hasEmergencyExit: Bool = true,
        allowsPostponing: Bool = false
    ) {
        self.allowsPostponing = allowsPostponing
        (self.label, self.ring, self.snooze, self.challenges) = (label, ring, snooze, challenges)
        (self.isTest, self.snoozeBounds, self.hasEmergencyExit) = (isTest, snoozeBounds, hasEmergencyExit)
    }
}

extension Terms {
    /// The time for which the session rests after a round without an answer.
    package var restMilliseconds: Int { ring.restSeconds * 1000 }

    /// The length of a snooze that names no other.
    package var snoozeSeconds: Int { held(snooze.seconds) }

    /// Returns the length of a snooze within the bounds of the settings.
    fileprivate func held(_ seconds: Int) -> Int { min(max(seconds, snoozeBounds.lowerBound), snoozeBounds.upperBound) }

    init(of alarm: Alarm, _ settings: Settings, seed: UInt64) {
        self.init(
            label: alarm.label, ring: alarm.ring, snooze: alarm.snooze,
            challenges: alarm.challenges.enumerated().map { $1.drawn(seed: seed, index: $0) }, isTest: false,
            snoozeBounds: settings.snoozeBounds, hasEmergencyExit: settings.hasEmergencyExit)
        (note, category) = (alarm.note, alarm.category)
        (escalation, allowsPostponing) = (alarm.escalationSteps, alarm.allowsPostponing)
        lightSeconds = alarm.lightSeconds
        wakeUpCheck = challenges.isEmpty ? nil : alarm.wakeUpCheck
    }

    var isPostponable: Bool { allowsPostponing || challenges.isEmpty }
}

package enum Ending: String, Choice, Hashable, Sendable {
    /// The session's challenges were completed, or it had none and was stopped.
    case dismissed
    /// The ring became due while Rooster could not ring, and was too old when Rooster could ring again.
    case missed
    /// The session rang unanswered in all its rounds.
    case unanswered
    case emergency
    /// Its owner has put the ring off.
    case postponed
    /// Its owner reported it as done before it was due.
    case done
    /// A test ring that was over, or that an alarm replaced.
    case cancelled
}

/// A session. Facts make it, and replaying them restores all of it but `timing`.
package struct Session: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// The session rings. One ringing session is heard; the others wait.
        case ringing
        /// The session rings, and one of its challenges has begun.
        case challenged
        case snoozed(Pause)
        /// The session rang unanswered, and is silent for a while before it rings again.
        case resting(Pause)
        /// Its challenges are completed. It rings again after the pause unless its wake-up check is answered.
        case checking(Pause)
        case ended(Ending)
    }

    /// A pause: a snooze, a rest, or the time until a wake-up check has failed.
    package struct Pause: Hashable, Sendable {
        /// The end of the pause, in milliseconds since 1970, as it was last recorded.
        package var untilMilliseconds: Int
        /// The length of the pause when its end was recorded.
        var milliseconds: Int
        /// The uptime at which the pause ends; nil until the service has started.
        var untilUptime: Int?
        /// True if `untilUptime` was computed by an untrusted clock.
        var isDoubtful = false
    }

    /// The state by uptime.
    struct Timing: Hashable, Sendable {
        /// When the session began, or the service started.
        let startUptime: Int
        /// The start of the ramp, as if there had been no pauses.
        var rampStartUptime: Int
        var risenMilliseconds = 0
        var ringOrder: Int
    }

    package let occurrence: Occurrence
    package let terms: Terms
    package let layer: Layer?
    package let revision: Int?
    /// The instant to which the ring was put off; nil if it was not.
    package let postponedTo: Instant?
    /// The start of the session, in milliseconds since 1970.
    package let firedMilliseconds: Int
    package let seed: UInt64
    package private(set) var state = State.ringing
    /// The time of each completion, in milliseconds since 1970, in the order of `terms.challenges`.
    package var doneMilliseconds: [Int] = []
    /// The challenges that were completed in place of others, by the index of the other.
    package var replacements: [Int: Challenge] = [:]
    package var snoozeCount = 0
    /// The time of each snooze, in milliseconds since 1970; empty for rings of earlier versions.
    package var snoozedMilliseconds: [Int] = []
    package var restCount = 0
    /// The number of wake-up checks that have begun, and of those that were not answered.
    package var checkCount = 0
    package var failedCheckCount = 0
    package var solvedSumCount = 0
    /// The end of the last lock-out, in milliseconds since 1970; 0 if there was none.
    package var lockedOutUntilMilliseconds = 0
    /// True if a speaker or the buzzer has played the session.
    package var isHeard = false
    /// True if the shaker was ordered to shake for it.
    package var isShaken = false
    /// The time at which the owner went to bed, in milliseconds since 1970, for the first ring dismissed
    /// after it.
    package var inBedMilliseconds: Int?
    /// The session with the same challenges, whose end ended this one.
    package var endedWith: Occurrence?
    /// The sender of the request or the device of the action that ended the session; nil for none.
    package var endedBy: Sender?
    /// The time at which the session last began to ring, or will ring again. After a restart, sessions ring
    /// in this order.
    private(set) var ringOrderMilliseconds: Int
    /// The time of its last begin to ring, or the end of its pause. A restart long after that does not wake
    /// the sleeper any more.
    private(set) var activeMilliseconds: Int
    /// The time for which it had rung when its present round, or the one before its pause, began.
    private var rungMilliseconds = 0
    /// The begin of that round, in milliseconds since 1970.
    private var roundMilliseconds: Int
    /// Nil until the service has started.
    private(set) var timing: Timing?

    package init(
        occurrence: Occurrence, terms: Terms, layer: Layer?, revision: Int?, postponedTo: Instant? = nil,
        firedMilliseconds: Int, seed: UInt64
    ) {
        self.postponedTo = postponedTo
        (self.occurrence, self.terms, self.layer, self.revision) = (occurrence, terms, layer, revision)
        (self.firedMilliseconds, self.seed) = (firedMilliseconds, seed)
        (ringOrderMilliseconds, activeMilliseconds) = (firedMilliseconds, firedMilliseconds)
        roundMilliseconds = min(firedMilliseconds, occurrence.at.milliseconds)
    }

    /// The ring order. The ringing session with the lowest one is heard.
    var ringOrder: Int { timing?.ringOrder ?? .max }

    /// The lateness of the session's start, in whole seconds.
    package var lateSeconds: Int { max(0, firedMilliseconds / 1000 - due.secondsSince1970) }

    /// The instant at which it was to ring.
    package var due: Instant { postponedTo ?? occurrence.at }

    /// The seconds by which a movement began it ahead of its time; 0 if none did.
    package var earlySeconds: Int { max(0, due.secondsSince1970 - firedMilliseconds / 1000) }

    /// The next challenge; nil if none is left.
    package var openChallenge: Challenge? {
        doneMilliseconds.count < terms.challenges.count ? terms.challenges[doneMilliseconds.count] : nil
    }

    /// True if the session rings, heard or not.
    package var isRinging: Bool {
        switch state {
        case .ringing, .challenged: true
        case .snoozed, .resting, .checking, .ended: false
        }
    }

    /// The pause of the session; nil while it rings.
    package var pause: Pause? {
        switch state {
        case .snoozed(let pause), .resting(let pause), .checking(let pause): pause
        case .ringing, .challenged, .ended: nil
        }
    }

    enum SnoozeResult {
        case granted(count: Int, left: Int?, seconds: Int, isClamped: Bool)
        case refused(Refusal)
    }

    /// Decides a snooze of this many seconds, or of the alarm's own length. With challenges, that is the longest:
    /// a longer one would put the challenges off.
    func snooze(for seconds: Int?) -> SnoozeResult {
        if let max = terms.snooze.max, snoozeCount >= max { return .refused(.noSnoozeLeft(max: max)) }
        let wanted = seconds ?? terms.snooze.seconds
        let most = terms.challenges.isEmpty ? wanted : min(wanted, terms.snooze.seconds)
        let held = terms.held(most)
        return .granted(
            count: snoozeCount + 1, left: terms.snooze.max.map { $0 - snoozeCount - 1 }, seconds: held,
            isClamped: held != wanted)
    }

    // MARK: facts

    mutating func complete(_ index: Int, replacedBy replacement: Challenge?, at milliseconds: Int) {
        guard index == doneMilliseconds.count else { return }
        doneMilliseconds.append(milliseconds)
        replacements[index] = replacement
        (solvedSumCount, lockedOutUntilMilliseconds) = (0, 0)
    }

    /// Records the number of solved sums of a challenge.
    mutating func solve(_ count: Int, of index: Int) {
        guard index == doneMilliseconds.count else { return }
        (solvedSumCount, lockedOutUntilMilliseconds) = (count, 0)
    }

    /// Snoozes for the `count`th time, or records the end of that snooze again because the clock was set.
    mutating func snooze(count: Int, at milliseconds: Int, until: Int) {
        if count > snoozeCount { snoozedMilliseconds.append(milliseconds) }
        snoozeCount = max(snoozeCount, count)
        // The challenges were completed while the snooze was on its way to the disk.
        guard !isChecking else { return }
        state = .snoozed(pause(at: milliseconds, until: until))
    }

    /// Corrects the time of the last snooze.
    mutating func restampSnooze(at milliseconds: Int) {
        if snoozedMilliseconds.popLast() != nil { snoozedMilliseconds.append(milliseconds) }
    }

    /// Rests for the `count`th time, or records the end of that rest again.
    mutating func rest(count: Int, at milliseconds: Int, until: Int) {
        restCount = max(restCount, count)
        state = .resting(pause(at: milliseconds, until: until))
    }

    /// Begins the `count`th wake-up check, or records its end again.
    mutating func check(count: Int, at milliseconds: Int, until: Int) {
        checkCount = max(checkCount, count)
        state = .checking(pause(at: milliseconds, until: until))
    }

    /// Rings again, with all its challenges and all its rounds: its wake-up check was not answered.
    mutating func failCheck(at milliseconds: Int) {
        failedCheckCount = checkCount
        (doneMilliseconds, replacements) = ([], [:])
        (restCount, solvedSumCount, lockedOutUntilMilliseconds) = (0, 0, 0)
        resume(at: milliseconds)
    }

    private mutating func pause(at milliseconds: Int, until: Int) -> Pause {
        rungMilliseconds = rungMilliseconds(at: milliseconds)
        (ringOrderMilliseconds, activeMilliseconds) = (until, until)
        return Pause(
            untilMilliseconds: until, milliseconds: until - milliseconds, untilUptime: pause?.untilUptime,
            isDoubtful: pause?.isDoubtful ?? false)
    }

    /// Ends the pause, or continues to ring after a restart.
    mutating func resume(at milliseconds: Int) {
        activeMilliseconds = milliseconds
        guard pause != nil else { return }
        (state, roundMilliseconds) = (.ringing, milliseconds)
    }

    /// Returns the time for which it has rung or should have rung, without its pauses.
    func rungMilliseconds(at milliseconds: Int) -> Int {
        isRinging ? rungMilliseconds + max(0, milliseconds - roundMilliseconds) : rungMilliseconds
    }

    /// Moves the begin of its round with the clock.
    mutating func clockWasSet(by milliseconds: Int) { roundMilliseconds += milliseconds }

    /// Takes back the last snooze: its press was the begin of the emergency exit.
    mutating func takeBackSnooze(at milliseconds: Int) {
        snoozeCount = max(0, snoozeCount - 1)
        _ = snoozedMilliseconds.popLast()
        resume(at: milliseconds)
    }

    mutating func end(_ ending: Ending) {
        (state, timing) = (.ended(ending), nil)
        (ringOrderMilliseconds, activeMilliseconds) = (firedMilliseconds, firedMilliseconds)
        (rungMilliseconds, roundMilliseconds) = (0, firedMilliseconds)
    }

    // MARK: uptime

    /// Begins to ring, or continues after a start. The ramp has risen for `risenMilliseconds`.
    mutating func ring(risenMilliseconds: Int, ringOrder: Int, at uptime: Int) {
        state = .ringing
        timing = Timing(startUptime: uptime, rampStartUptime: uptime - risenMilliseconds, ringOrder: ringOrder)
    }

    /// Continues a pause after a start.
    mutating func stayPaused(for leftMilliseconds: Int, risenMilliseconds: Int, isDoubtful: Bool, at uptime: Int) {
        timing = Timing(startUptime: uptime, rampStartUptime: uptime - risenMilliseconds, ringOrder: 0)
        fallSilent(until: uptime + leftMilliseconds, isDoubtful: isDoubtful, at: uptime)
    }

    /// Falls silent. The ramp stops meanwhile.
    mutating func fallSilent(until untilUptime: Int, isDoubtful: Bool = false, at uptime: Int) {
        if let start = timing?.rampStartUptime { timing?.risenMilliseconds = uptime - start }
        endPause(at: untilUptime, isDoubtful: isDoubtful)
    }

    /// Sets the end of a pause that was an estimate. No pause becomes longer.
    mutating func shorten(to untilUptime: Int) {
        guard let pause, pause.isDoubtful, let until = pause.untilUptime else { return }
        endPause(at: min(until, untilUptime), isDoubtful: false)
    }

    /// Rings again. The ramp continues where it stopped. Keeps its ring order if `ringOrder` is nil.
    mutating func ringAgain(ringOrder: Int?, at uptime: Int) {
        if let risen = timing?.risenMilliseconds { timing?.rampStartUptime = uptime - risen }
        if let ringOrder { timing?.ringOrder = ringOrder }
        state = .ringing
    }

    mutating func challenge(_ isBegun: Bool) {
        if isRinging { state = isBegun ? .challenged : .ringing }
    }

    private mutating func endPause(at uptime: Int, isDoubtful: Bool) {
        guard var pause else { return }
        (pause.untilUptime, pause.isDoubtful) = (uptime, isDoubtful)
        switch state {
        case .snoozed: state = .snoozed(pause)
        case .checking: state = .checking(pause)
        default: state = .resting(pause)
        }
    }
}

/// The phases of a session, from the planned ring to its end.
package enum Phase: Hashable, Sendable {
    case planned
    /// The session rings: heard, heard with a challenge begun, or waiting behind another session.
    case ringing, challenged, waiting
    case snoozed, resting
    /// The challenges are completed, and the wake-up check is still to be answered.
    case checking
    case ended(Ending)

    /// The transitions that are possible from each phase.
    package static let steps: [Phase: Set<Phase>] = [
        .planned: [.ringing, .challenged, .waiting, .ended(.missed)],
        .ringing: [
            .challenged, .snoozed, .resting, .checking, .ended(.dismissed), .ended(.postponed), .ended(.unanswered),
            .ended(.emergency),
        ],
        .challenged: [
            .ringing, .snoozed, .resting, .checking, .ended(.dismissed), .ended(.postponed), .ended(.unanswered),
            .ended(.emergency),
        ],
        // A session ends as unanswered from any phase if a trusted clock shows that it is half a day old.
        .waiting: [
            .ringing, .challenged, .ended(.dismissed), .ended(.postponed), .ended(.unanswered), .ended(.emergency),
        ],
        .snoozed: [
            .ringing, .challenged, .waiting, .checking, .ended(.dismissed), .ended(.postponed), .ended(.unanswered),
            .ended(.emergency),
        ],
        .resting: [
            .ringing, .challenged, .waiting, .checking, .ended(.dismissed), .ended(.postponed), .ended(.unanswered),
            .ended(.emergency),
        ],
        .checking: [.ringing, .challenged, .waiting, .ended(.dismissed), .ended(.unanswered)],
    ]
}
