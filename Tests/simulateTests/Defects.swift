// The ways in which a planted defect changes what passes between the engine and its environment.

import Alarms
import CivilTime
import Engine

@testable import simulate

extension Defect {
    /// The wakes that the engine asks for are others.
    static func wakes(_ change: @escaping (inout Wake) -> Void) -> Defect {
        Defect(wanted: { effect, _ in
            guard case .wake(var wake) = effect else { return [effect] }
            change(&wake)
            return [.wake(wake)]
        })
    }

    /// A part leaves its deadline out.
    static var waitsForSoundAlone: Defect { .wakes { $0.next.uptimeMilliseconds = $0.sound.uptimeMilliseconds } }

    static var takesRefused: Defect {
        Defect(given: { input, _ in
            if case .commitFailed(let number, _) = input { [.committed(number)] } else { [input] }
        })
    }

    static func drops(_ isDropped: @escaping (Input, Engine) -> Bool) -> Defect {
        Defect(given: { isDropped($0, $1) ? [] : [$0] })
    }

    static func drops(_ isDropped: @escaping (Effect) -> Bool) -> Defect {
        Defect(wanted: { effect, _ in isDropped(effect) ? [] : [effect] })
    }

    /// The service starts in another zone than the machine's; nil where there is no other.
    static func starts(in other: @escaping (Zone) -> Zone?) -> Defect {
        Defect(given: { input, _ in
            guard case .start(var start) = input, let zone = other(start.zone) else { return [input] }
            start.zone = zone
            return [.start(start)]
        })
    }

    /// A restart goes by other late windows than it shows and writes down: no list of alarms shows that.
    static func lateWindows(_ others: [Int: Int]) -> Defect {
        let saved = Dictionary(uniqueKeysWithValues: others.map { ($1, $0) })
        func change(_ windows: [Int: Int]) -> (inout Alarm) -> Void {
            { $0.lateWindowSeconds = windows[$0.lateWindowSeconds] ?? $0.lateWindowSeconds }
        }
        return Defect(
            replayed: { $0.map { entry in entry.changed { alarm, _ in change(others)(&alarm) } } },
            recorded: { $0.map { entry in entry.changed { alarm, _ in change(saved)(&alarm) } } },
            shown: { shown in
                var alarm = shown
                change(saved)(&alarm)
                return alarm
            })
    }

    /// Silence follows a refusal.
    static func silenced(by refusal: Refusal) -> Defect {
        Defect(wanted: { effect, _ in effect == .prompt(.refused(refusal)) ? [effect, .sound(nil)] : [effect] })
    }

    /// Something becomes of every fifth reply.
    static func replies(_ become: @escaping (Effect) -> [Effect]) -> Defect {
        let count = Box(0)
        return Defect(wanted: { effect, _ in
            guard case .reply = effect else { return [effect] }
            count.value += 1
            return count.value % 5 == 0 ? become(effect) : [effect]
        })
    }
}

extension Entry {
    /// The same, where an alarm is another, or at another position of its plan.
    func changed(_ change: (inout Alarm, inout ScheduleState) -> Void) -> Entry {
        let other: Fact
        switch fact {
        case .alarmSaved(var alarm, var position):
            change(&alarm, &position)
            other = .alarmSaved(alarm, position)
        case .alarmKept(var alarm, var position, let rung):
            change(&alarm, &position)
            other = .alarmKept(alarm, position, rung: rung)
        default: return self
        }
        return Entry(millisecondsSince1970: millisecondsSince1970, other)
    }

    /// The same, where a snapshot knows nothing of an alarm's last day.
    var goneBack: Entry {
        guard case .alarmKept(let alarm, var position, _) = fact else { return self }
        position.cursor = position.cursor.advanced(by: -86_400)
        position.anchor?.handledAt = nil
        return Entry(millisecondsSince1970: millisecondsSince1970, .alarmKept(alarm, position, rung: []))
    }

    /// The same, as if no snooze had gone before.
    var asFirstSnooze: Entry {
        guard case .snoozed(let occurrence, _, let until) = fact else { return self }
        return Entry(
            millisecondsSince1970: millisecondsSince1970, .snoozed(occurrence, count: 1, untilMilliseconds: until))
    }
}

/// The same zone, with clocks that are set back an hour late: what comes twice comes at the second time.
func withSecondTimes(_ zone: Zone) -> Zone? {
    let rules = [
        "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/4", "America/New_York": "EST5EDT,M3.2.0,M11.1.0/3",
        "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0/3",
    ]
    return rules[zone.name].flatMap { Zone(name: zone.name, rule: $0) }
}

/// Remembers something from one effect to the next.
final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
