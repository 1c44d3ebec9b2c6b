// A mistake that real alarm clocks make, planted between the engine and the world to see that the promises notice.

import Alarms
import Engine

/// What a defect does to all that passes between an engine and its world.
struct Defect {
    /// What the engine is told instead.
    var given: (Input, World) -> [Input] = { input, _ in [input] }
    /// What is done instead of what the engine wants.
    var wanted: (Effect, World) -> [Effect] = { effect, _ in [effect] }
    /// What a restart finds instead of what was kept.
    var replayed: ([Entry]) -> [Entry] = { $0 }
    /// What is written down, and said to be known, instead of what is.
    var kept: ([Entry]) -> [Entry] = { $0 }
    /// How an alarm is shown instead of what it is.
    var shown: (Alarm) -> Alarm = { $0 }
}

extension Effect {
    /// The same, where other entries are written down.
    func keeping(_ kept: ([Entry]) -> [Entry]) -> Effect {
        guard case .keep(let entries, let number) = self else { return self }
        return .keep(kept(entries), number: number)
    }
}
