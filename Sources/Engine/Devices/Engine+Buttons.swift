// The meaning of a press, and the emergency exit.

import Alarms

extension Engine {
    mutating func buttonMoved(_ button: Button, isDown: Bool, at uptime: Int) {
        guard buttons.move(button, isDown: isDown, uptime: uptime) else { return }
        // A press from before the ring is not meant for the ring.
        let began = sessions.addressed?.timing?.startUptime ?? 0
        if uptime < began { return }
        if answerChecks(at: uptime, by: .button) { return }
        if challengeState.current?.wantsButtons == true { return apply(.press(button), at: .button) }
        // Without a session, a short press has no effect: a touch at night must not startle the sleeper.
        guard !sessions.isEmpty else {
            return pairing.press(button, at: uptime) ? () : buttons.idle(button, uptime: uptime)
        }
        if let first = buttons.pressOfOther(before: button, at: uptime), first >= began {
            return takeBackSnooze(since: first)
        }
        switch button {
        case .snooze: dispatch(.snooze(seconds: nil), from: context(.button))
        case .stop: dispatch(.stop, from: context(.button))
        }
    }

    /// Takes back the snooze of a press at `uptime`, which began the emergency exit: the ring goes on
    /// while both buttons are held, and no snooze is used.
    private mutating func takeBackSnooze(since uptime: Int) {
        writes.withdrawSnoozes(since: uptime)
        if let occurrence = sessions.takeBackSnooze(since: uptime, at: clock.uptime) {
            record(.snoozeTakenBack(occurrence))
        }
    }

    /// Carries out a long press, if no session is open.
    private mutating func answerLongPress(_ button: Button?) {
        guard sessions.isEmpty else { return }
        switch button {
        case .stop?: effects.append(.prompt(.next(agenda.due.first)))
        case .snooze?: goToBed(context(.button))
        case nil: break
        }
    }

    /// The session whose emergency exit is held, the sender of the hold, and its start.
    private var emergency: (session: Session, sender: Sender, sinceUptime: Int)? {
        guard buttons.areHeld, let session = sessions.addressed, session.terms.hasEmergencyExit,
            let began = session.timing?.startUptime,
            let (sender, since) = buttons.emergency(since: began, at: clock.uptime)
        else { return nil }
        return (session, sender, since)
    }

    /// The session whose emergency exit is held, and the milliseconds until it takes effect.
    var emergencyLeft: (session: Occurrence, milliseconds: Int)? {
        emergency.map { ($0.session.occurrence, $0.sinceUptime + ButtonStates.emergencyMilliseconds - clock.uptime) }
    }

    /// The stage of the emergency exit, for the lamp; nil while it is not held.
    var emergencyLight: StatusLight? {
        emergencyLeft.map { left in
            switch left.milliseconds {
            case ...ButtonStates.emergencyStageMilliseconds: .heldLongest
            case ...(2 * ButtonStates.emergencyStageMilliseconds): .heldLonger
            default: .held
            }
        }
    }

    /// The time at which the emergency exit takes effect or reaches its next stage for the lamp.
    var emergencyDeadline: Deadline {
        .uptime(
            emergencyLeft.map { left in
                let stage = ButtonStates.emergencyStageMilliseconds
                return clock.uptime + max(0, left.milliseconds - (left.milliseconds - 1) / stage * stage)
            })
    }

    mutating func updateButtons() {
        let (longPress, health) = buttons.update(at: clock.uptime)
        answerLongPress(longPress)
        if health != preflight.health[.buttons] ?? .ok { healthReported(.buttons, health) }
    }

    /// Ends the session whose emergency exit was held for long enough.
    mutating func endByEmergencyExit() {
        guard let (session, sender, since) = emergency, since + ButtonStates.emergencyMilliseconds <= clock.uptime
        else {
            return
        }
        end(session, .emergency, by: sender)
        buttons.forgetPresses()
    }
}
