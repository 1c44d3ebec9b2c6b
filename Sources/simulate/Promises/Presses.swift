// Presses of buttons whose contacts bounce.

import Engine

/// Tells presses from bouncing.
struct Presses {
    private var lines: [Button: (isDown: Bool, edgeAt: Int)] = [:]

    private static let bounceMilliseconds = 50

    /// Whether a button was pressed just now.
    mutating func move(_ input: Input, at now: Int) -> Button? {
        guard case .button(let button, let isDown) = input else { return nil }
        let line = lines[button] ?? (false, Int.min / 2)
        guard line.isDown != isDown else { return nil }
        lines[button] = (isDown, now)
        return isDown && now - line.edgeAt >= Presses.bounceMilliseconds ? button : nil
    }
}
