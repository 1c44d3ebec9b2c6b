// The pattern challenge, a sequence of presses of the two buttons, and the steps challenge.

import Alarms

/// A sequence of presses, and the part that was pressed.
package struct Pattern: Hashable, Sendable {
    package private(set) var buttons: [Button]
    private(set) var pressedCount = 0
    private var chance: SeededGenerator

    package init(length: Int, chance: SeededGenerator) {
        self.chance = chance
        buttons = []
        draw(length)
    }

    mutating func press(_ button: Button) -> Progress {
        guard button == buttons[pressedCount] else {
            draw(buttons.count)
            return .wrong
        }
        pressedCount += 1
        return pressedCount < buttons.count ? .further : .done
    }

    private mutating func draw(_ length: Int) {
        pressedCount = 0
        // A pattern of one button alone could be pressed half asleep.
        repeat {
            buttons = (0..<max(2, length)).map { _ in chance.number(in: 0...1) == 0 ? .snooze : .stop }
        } while Set(buttons).count < Button.allCases.count
    }
}

package struct Steps: Hashable, Sendable {
    let count: Int
    private(set) var left: Int
    private var lastUptime: Int?

    /// The shortest time between two steps. A sooner pulse is not counted, so a loose wire counts nothing.
    private static let apartMilliseconds = 250

    init(count: Int) {
        self.count = count
        left = count
    }

    mutating func step(uptime: Int) -> Progress {
        defer { lastUptime = uptime }
        if let lastUptime, uptime - lastUptime < Steps.apartMilliseconds { return .nothing }
        left -= 1
        return left > 0 ? .further : .done
    }
}
