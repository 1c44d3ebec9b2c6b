// A mistake that no list of alarms shows: they are as they were saved, and ring by something else.

import Alarms
import Engine

@testable import simulate

extension Defect {
    /// A restart goes by other late windows than it shows and writes down.
    static func lateWindows(_ others: [Int: Int]) -> Defect {
        let saved = Dictionary(uniqueKeysWithValues: others.map { ($1, $0) })
        return Defect(
            replayed: { $0.map { $0.withLateWindow(others) } }, recorded: { $0.map { $0.withLateWindow(saved) } },
            shown: { $0.withLateWindow(saved) })
    }
}

extension Entry {
    fileprivate func withLateWindow(_ others: [Int: Int]) -> Entry {
        let other: Fact =
            switch fact {
            case .alarmSaved(let alarm, let position): .alarmSaved(alarm.withLateWindow(others), position)
            case .alarmKept(let alarm, let position, let rung):
                .alarmKept(alarm.withLateWindow(others), position, rung: rung)
            default: fact
            }
        return Entry(millisecondsSince1970: millisecondsSince1970, other)
    }
}

extension Alarm {
    fileprivate func withLateWindow(_ others: [Int: Int]) -> Alarm {
        var alarm = self
        alarm.lateWindowSeconds = others[lateWindowSeconds] ?? lateWindowSeconds
        return alarm
    }
}
