// Rooster's promises, and planted defects that prove that the checks find a broken promise.

import Alarms
import CivilTime
import Engine

/// A promise. The report of a violation has its number.
enum Promise: Int, CaseIterable, CustomStringConvertible {
    case rings = 1
    case sound, ending, memory, silence, loudness, recovery, answers, notices, light, checks

    var description: String { "promise \(rawValue)" }

    var sentence: String {
        switch self {
        case .rings:
            "Each announced ring rings once, on time or early after a movement, or is reported as missed. "
                + "Nothing else rings."
        case .sound:
            "A sound plays, or the shaker shakes, if and only if a session rings, and as its alarm says. Only a "
                + "wake-up check chimes as well."
        case .ending:
            "A ring ends, and a locked alarm changes, only as its challenges allow or after its owner "
                + "has given no answer for long enough. A ring asks only for challenges that the configured "
                + "devices allow."
        case .memory: "An acknowledged change holds, and holds after every restart."
        case .silence: "A session is silent only during a snooze, a rest or a wake-up check, and no longer than that."
        case .loudness: "A session never becomes quieter while it rings."
        case .recovery: "After the last fault everything works again: an alarm that is saved then rings."
        case .answers: "Each request gets one response, in time. No queue or table grows without a bound."
        case .notices:
            "Each notice of a ring is given once, at its time or late, and so is a bedtime while nothing rings."
        case .light: "The sunrise rises only before a ring that is announced, and is full only until its session ends."
        case .checks: "A wake-up check that is not answered rings. Only a person answers it."
        }
    }
}

/// A planted defect, which changes the data between the engine and its environment.
struct Defect {
    var given: (Input, Engine) -> [Input] = { input, _ in [input] }
    var wanted: (Effect, Moment) -> [Effect] = { effect, _ in [effect] }
    var replayed: ([Entry]) -> [Entry] = { $0 }
    /// Replaces the entries of commits and snapshots.
    var recorded: ([Entry]) -> [Entry] = { $0 }
    var shown: (Alarm) -> Alarm = { $0 }

    func wanted(_ effects: [Effect], at moment: Moment) -> [Effect] {
        effects.flatMap { wanted($0, moment) }.map { effect -> Effect in
            guard case .commit(let entries, let number) = effect else { return effect }
            return .commit(recorded(entries), number: number)
        }
    }
}
