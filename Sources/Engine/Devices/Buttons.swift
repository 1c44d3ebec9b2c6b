// The two buttons: bouncing, stuck, or held together.

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
