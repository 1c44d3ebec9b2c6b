// The promises of Rooster, and planted defects that prove that a broken promise is noticed.

import Alarms
import Engine

/// A promise, by its number in the report of its violation.
enum Promise: Int, CaseIterable, CustomStringConvertible {
    case rings = 1
    case sound, ending, memory, silence, loudness, recovery, answers

    var description: String { "promise \(rawValue)" }

    var sentence: String {
        switch self {
        case .rings: "Each ring that was told rings on time or is told missed, and nothing else rings."
        case .sound: "A sound is heard if and only if a session rings, and it is that session's sound."
        case .ending:
            "A ring ends, and an alarm that is locked changes, only as its challenges allow or its owner gives up."
        case .memory: "What was acknowledged is so, and is so after every restart."
        case .silence: "A session is silent only for a snooze or a rest, and only for so long."
        case .loudness: "A session never becomes softer while it rings."
        case .recovery: "When every fault is over, all is well again: what is saved then rings."
        case .answers: "Each request is answered once and in time, and nothing grows without bounds."
        }
    }
}

/// A planted defect: it changes what passes between the engine and its environment.
struct Defect {
    var given: (Input, Engine) -> [Input] = { input, _ in [input] }
    var wanted: (Effect, Moment) -> [Effect] = { effect, _ in [effect] }
    var replayed: ([Entry]) -> [Entry] = { $0 }
    /// The entries that are recorded instead, and in snapshots.
    var recorded: ([Entry]) -> [Entry] = { $0 }
    var shown: (Alarm) -> Alarm = { $0 }

    func wanted(_ effects: [Effect], at moment: Moment) -> [Effect] {
        effects.flatMap { wanted($0, moment) }.map { effect -> Effect in
            guard case .commit(let entries, let number) = effect else { return effect }
            return .commit(recorded(entries), number: number)
        }
    }
}
