// What is done with the two buttons: a sequence to repeat.

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
