// What the buttons mean: snooze, stop, a pattern's next press, or the emergency way out.

import Alarms

extension Engine {
    mutating func buttonMoved(_ button: Button, isDown: Bool) {
        guard buttons.move(button, isDown: isDown, uptime: clock.uptime) else { return }
        if attempt?.wantsButtons == true {
            guard let progress = attempt?.press(button, uptime: clock.uptime) else { return }
            return take(progress, by: asking(.button))
        }
        switch button {
        case .snooze: receive(.snooze(seconds: nil), from: asking(.button))
        case .stop: receive(.stop, from: asking(.button))
        }
    }

    /// Since when the emergency way out has been held, by both buttons or from elsewhere. Buttons that were down before the
    /// session began are stuck.
    private var heldSinceUptime: Int? {
        guard let session = addressed, session.terms.hasEmergencyExit,
            let began = voices[session.occurrence]?.startUptime
        else { return nil }
        let page = desk.heldSinceUptime(at: clock.uptime).flatMap { $0 >= began ? $0 : nil }
        return [buttons.bothHeldSinceUptime(pressedSince: began), page].compactMap(\.self).min()
    }

    /// When the emergency way out will have been held for long enough.
    var emergencyUptime: Int? { heldSinceUptime.map { $0 + Buttons.emergencyMilliseconds } }

    /// Ends the session whose owner has no other way: a code can burn.
    mutating func watchButtons() {
        guard let session = addressed, let until = emergencyUptime, until <= clock.uptime else { return }
        end(session, .emergency, by: desk.heldSinceUptime(at: clock.uptime) == nil ? .button : desk.hold?.door)
        desk.release()
        buttons.forgetPresses()
    }
}
