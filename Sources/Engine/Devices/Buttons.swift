// The two buttons: bouncing, stuck, or held together, and what a press means.

import Alarms

/// What is known of the buttons.
struct Buttons: Hashable, Sendable {
    private struct Line: Hashable, Sendable {
        var isDown = false
        var edgeUptime = Int.min / 2
        var pressUptime: Int?
    }

    private var lines: [Button: Line] = [:]

    /// Contacts bounce for less than this.
    private static let bounceMilliseconds = 50
    /// So long both are held by whoever wants the emergency way out.
    static let emergencyMilliseconds = 60_000

    /// A button went down or up. Answers whether that is a press.
    mutating func move(_ button: Button, isDown: Bool, uptime: Int) -> Bool {
        var line = lines[button] ?? Line()
        guard isDown != line.isDown else { return false }
        let isPress = isDown && uptime - line.edgeUptime >= Buttons.bounceMilliseconds
        if isPress { line.pressUptime = uptime }
        line.isDown = isDown
        line.edgeUptime = uptime
        lines[button] = line
        return isPress
    }

    /// What has been held so far has had its effect: it counts again when it is pressed again.
    mutating func forgetPresses() {
        for button in lines.keys { lines[button]?.pressUptime = nil }
    }

    /// Since when both have been held, if both were pressed since `began`: one that was down before is stuck.
    func bothHeldSinceUptime(pressedSince began: Int) -> Int? {
        guard let snooze = lines[.snooze], let stop = lines[.stop], snooze.isDown, stop.isDown,
            let first = snooze.pressUptime, let second = stop.pressUptime, min(first, second) >= began
        else { return nil }
        return max(first, second)
    }
}

extension Engine {
    mutating func buttonMoved(_ button: Button, isDown: Bool) {
        guard buttons.move(button, isDown: isDown, uptime: clock.uptime) else { return }
        if attempt?.wantsButtons == true { return apply(.press(button), at: .button) }
        switch button {
        case .snooze: receive(.snooze(seconds: nil), from: asking(.button))
        case .stop: receive(.stop, from: asking(.button))
        }
    }

    /// Since when the emergency way out has been held, by both buttons or from elsewhere. Buttons that were down before the
    /// session began are stuck.
    private var heldSinceUptime: Int? {
        guard let session = sessions.addressed, session.terms.hasEmergencyExit,
            let began = session.timing?.startUptime
        else { return nil }
        let page = desk.heldSinceUptime(at: clock.uptime).flatMap { $0 >= began ? $0 : nil }
        return [buttons.bothHeldSinceUptime(pressedSince: began), page].compactMap(\.self).min()
    }

    /// When the emergency way out will have been held for long enough.
    var emergencyUptime: Int? { heldSinceUptime.map { $0 + Buttons.emergencyMilliseconds } }

    /// Ends the session whose owner has no other way: a code can burn.
    mutating func watchButtons() {
        guard let session = sessions.addressed, let until = emergencyUptime, until <= clock.uptime else { return }
        end(session, .emergency, by: desk.heldSinceUptime(at: clock.uptime) == nil ? .button : desk.hold?.door)
        desk.release()
        buttons.forgetPresses()
    }
}
