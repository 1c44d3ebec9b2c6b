// The two buttons: bouncing, stuck, or held together, and what a press means.

import Alarms

/// What is known of the buttons.
struct Buttons: Hashable, Sendable {
    private struct Line: Hashable, Sendable {
        var isDown = false
        var edgeUptime = Int.min / 2
        var pressUptime: Int?
    }

    /// Who holds the emergency way out elsewhere says so again and again: a page that was closed holds nothing.
    private struct Hold: Hashable, Sendable {
        var door: Door
        var sinceUptime: Int
        var lastUptime: Int
    }

    private var lines: [Button: Line] = [:]
    private var hold: Hold?

    /// Contacts bounce for less than this.
    private static let bounceMilliseconds = 50
    /// So long both are held by whoever wants the emergency way out.
    static let emergencyMilliseconds = 60_000
    private static let holdMilliseconds = 5000

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
        hold = nil
    }

    /// The emergency way out is held elsewhere, or still is.
    mutating func hold(by door: Door, uptime: Int) {
        hold = Hold(door: door, sinceUptime: held(at: uptime)?.sinceUptime ?? uptime, lastUptime: uptime)
    }

    mutating func release() { hold = nil }

    private func held(at uptime: Int) -> Hold? {
        hold.flatMap { uptime - $0.lastUptime <= Buttons.holdMilliseconds ? $0 : nil }
    }

    /// Where the emergency way out is held, and since when without a break. What was held before `began` is stuck.
    func emergency(since began: Int, at uptime: Int) -> (door: Door, sinceUptime: Int)? {
        let elsewhere = held(at: uptime)
        let both = bothHeldSinceUptime(pressedSince: began)
        let page = elsewhere.flatMap { $0.sinceUptime >= began ? $0.sinceUptime : nil }
        guard let since = [both, page].compactMap(\.self).min() else { return nil }
        return (elsewhere?.door ?? .button, since)
    }

    private func bothHeldSinceUptime(pressedSince began: Int) -> Int? {
        guard let snooze = lines[.snooze], let stop = lines[.stop], snooze.isDown, stop.isDown,
            let first = snooze.pressUptime, let second = stop.pressUptime, min(first, second) >= began
        else { return nil }
        return max(first, second)
    }

    /// Whether anything is held that could be the emergency way out.
    var areHeld: Bool { hold != nil || lines.count > 1 && lines.values.allSatisfy(\.isDown) }
}

extension Engine {
    mutating func buttonMoved(_ button: Button, isDown: Bool) {
        guard buttons.move(button, isDown: isDown, uptime: clock.uptime) else { return }
        if attempts.current?.wantsButtons == true { return apply(.press(button), at: .button) }
        switch button {
        case .snooze: receive(.snooze(seconds: nil), from: asking(.button))
        case .stop: receive(.stop, from: asking(.button))
        }
    }

    /// The emergency way out of the session that is addressed, as far as it is held.
    private var emergency: (session: Session, door: Door, untilUptime: Int)? {
        guard buttons.areHeld, let session = sessions.addressed, session.terms.hasEmergencyExit,
            let began = session.timing?.startUptime,
            let (door, since) = buttons.emergency(since: began, at: clock.uptime)
        else { return nil }
        return (session, door, since + Buttons.emergencyMilliseconds)
    }

    /// When the emergency way out will have been held for long enough.
    var emergencyUptime: Int? { emergency?.untilUptime }

    /// Ends the session whose owner has no other way: a code can burn.
    mutating func watchButtons() {
        guard let (session, door, until) = emergency, until <= clock.uptime else { return }
        end(session, .emergency, by: door)
        buttons.forgetPresses()
    }
}
