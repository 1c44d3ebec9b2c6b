// What is done with the feet and with the buttons: steps to walk, and a sequence to repeat.

/// A number of steps.
struct Steps: Hashable, Sendable {
    private(set) var left: Int
    private var lastUptime: Int?

    /// Nobody walks faster: what comes sooner is the same step.
    private static let apartMilliseconds = 250

    init(count: Int) {
        left = count
    }

    mutating func step(uptime: Int) -> Progress {
        if let lastUptime, uptime - lastUptime < Steps.apartMilliseconds { return .nothing }
        lastUptime = uptime
        left -= 1
        return left > 0 ? .further : .done
    }
}

/// A sequence, and how much of it has been pressed.
struct Pattern: Hashable, Sendable {
    private(set) var buttons: [Button]
    private var pressedCount = 0
    private var chance: Chance

    init(length: Int, chance: Chance) {
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
        buttons = (0..<max(1, length)).map { _ in chance.number(in: 0...1) == 0 ? .snooze : .stop }
        pressedCount = 0
    }
}
