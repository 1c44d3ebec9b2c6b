// The wake-up check: a session whose challenges are completed asks once more whether its owner is awake.
//
// 1. The session pauses, as in a snooze, for the alarm's two times together.
// 2. After the first of them it asks, with a soft chime and the lamp. From then on, any sign of a person ends it.
// 3. If the pause ends first, it rings again with all its challenges. After the third time it does not ask.

import Alarms
import Challenges

extension Terms {
    /// The time from the last challenge to the ring that follows an unanswered check.
    package var checkMilliseconds: Int {
        wakeUpCheck.map { ($0.afterSeconds + $0.withinSeconds) * 1000 } ?? 0
    }
}

extension Session {
    package var isChecking: Bool { if case .checking = state { true } else { false } }

    /// The uptime at which it asks; nil if no check is pending. After a restart it asks again.
    var askedUptime: Int? {
        guard isChecking, let until = pause?.untilUptime, let check = terms.wakeUpCheck, let timing else { return nil }
        return max(until - check.withinSeconds * 1000, timing.startUptime)
    }

    /// Returns true if an action at this uptime answers its check.
    func asks(at uptime: Int) -> Bool { askedUptime.map { $0 <= uptime } ?? false }

    /// The chime sounds for a few seconds each minute, but not in the seconds before the ring.
    private static let chimeInterval = 60_000

    func chimes(at uptime: Int) -> Bool {
        guard let asked = askedUptime, asked <= uptime, let until = pause?.untilUptime else { return false }
        return (uptime - asked) % Session.chimeInterval < RingSettings.chimeMilliseconds
            && uptime < until - Engine.readyMilliseconds
    }

    /// Returns the time at which the chime begins or ends next.
    fileprivate func nextChimeUptime(after uptime: Int) -> Int? {
        guard let asked = askedUptime, asked <= uptime, let until = pause?.untilUptime else { return askedUptime }
        let last = uptime - (uptime - asked) % Session.chimeInterval
        let isOn = chimes(at: uptime)
        let next = last + (isOn ? RingSettings.chimeMilliseconds : Session.chimeInterval)
        let quiet = until - Engine.readyMilliseconds
        return isOn ? min(next, quiet) : next < quiet ? next : nil
    }

    fileprivate var chime: RingSettings { .chime(of: terms.ring) }
}

extension Sessions {
    /// Returns the sessions whose check an action at this uptime answers.
    func asking(at uptime: Int) -> [Session] { checking.map { all[$0] }.filter { $0.asks(at: uptime) } }

    /// Read at each input, so it copies no session without a check.
    private var checking: [Int] { all.indices.filter { all[$0].isChecking } }

    func nextChimeUptime(after uptime: Int) -> Int? {
        checking.compactMap { all[$0].nextChimeUptime(after: uptime) }.min()
    }

    /// Returns the next question, for which the speaker is opened ahead, and its sound.
    func nextQuestion(after uptime: Int) -> (uptime: Int, ring: RingSettings)? {
        checking.compactMap { index in
            let session = all[index]
            return session.askedUptime.map { ($0, session.terms.ring.isSilent ? session.terms.ring : session.chime) }
        }.filter { $0.0 > uptime }.min { $0.0 < $1.0 }
    }

    /// Returns the chime of a check. While a session rings, there is none.
    func chimeOrder(at uptime: Int, hasShaker: Bool) -> SoundOrder? {
        guard let session = checking.map({ all[$0] }).first(where: { $0.chimes(at: uptime) }),
            let start = session.askedUptime
        else { return nil }
        if session.terms.ring.isSilent, hasShaker { return nil }
        return SoundOrder(occurrence: session.occurrence, ring: session.chime, rampStartUptime: start)
    }

    /// Returns the order for the chime of a ring that is only felt.
    func gentleShakeOrder(at uptime: Int) -> ShakeOrder? {
        guard let session = all.first(where: { $0.terms.ring.isSilent && $0.chimes(at: uptime) }) else { return nil }
        return session.askedUptime.map { ShakeOrder(rampSeconds: 600, rampStartUptime: $0) }
    }
}

extension Engine {
    /// Begins the check of a session whose challenges are completed. Returns false if it has none left.
    mutating func beginCheck(_ session: Session) -> Bool {
        let length = session.terms.checkMilliseconds
        guard length > 0, session.failedCheckCount < WakeUpCheck.failuresMax else { return false }
        record(
            .checkBegan(
                session.occurrence, count: session.checkCount + 1, untilMilliseconds: clock.now + length))
        sessions.change(session.occurrence) { [clock] in
            $0.fallSilent(until: clock.uptime + length, at: clock.uptime)
        }
        return true
    }

    /// Returns the outcome for a session whose last challenge was completed; nil if it has ended.
    func checkOutcome(_ session: Session) -> Outcome? {
        guard let asked = sessions[session.occurrence]?.askedUptime else { return nil }
        return .checking(
            session.name, asksMilliseconds: clock.now + asked - clock.uptime, ringing: sessions.current?.name)
    }

    /// Ends the sessions whose check a person answers at a device. Returns false if none asks. While another
    /// session rings, the action belongs to that one.
    mutating func answerChecks(at uptime: Int, by origin: Origin) -> Bool {
        guard !sessions.isAnyRinging else { return false }
        let asking = sessions.asking(at: uptime)
        for session in asking { end(session, .dismissed, by: Sender(origin)) }
        return !asking.isEmpty
    }

    /// Returns true if the codes of a frame have answered a check.
    mutating func isCheckAnswered(by codes: [SeenCode], isDark: Bool, takenUptime: Int) -> Bool {
        guard var search = checkSearch else { return false }
        let (progress, _) = search.match(
            codes, isDark: isDark, takenUptime: takenUptime, enrolled: agenda.codes, uptime: clock.uptime)
        checkSearch = search
        return progress == .done && answerChecks(at: clock.uptime, by: .camera)
    }

    /// Returns true if a stop means a check: it names its session, or there is no other session to stop.
    func isForCheck(_ stop: CommandContext) -> Bool {
        if let named = stop.request?.ifRing { return sessions[named]?.isChecking ?? false }
        return sessions.addressed == nil && !sessions.isEmpty
    }

    /// Ends the sessions whose check the request answers.
    mutating func answerCheck(_ context: CommandContext) {
        let ring = context.request?.ifRing
        let pending = sessions.all.filter { $0.isChecking && $0.occurrence == ring ?? $0.occurrence }
        let asking = pending.filter { $0.asks(at: clock.uptime) }
        guard let first = asking.first else {
            return reply(.refused(pending.isEmpty ? .noCheck : .checkAhead), to: context)
        }
        for session in asking { end(session, .dismissed, by: context.sender) }
        let outcome = Outcome.stopped(first.name, ringing: sessions.current?.name)
        reply(.done(outcome), to: context, ifFailed: .done(.unwritten(outcome)))
    }
}
