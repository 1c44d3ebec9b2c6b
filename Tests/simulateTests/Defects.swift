// The ways in which a planted defect changes the inputs and effects of the engine.

import Alarms
import CivilTime
import Engine

@testable import simulate

extension Defect {
    /// Changes the wakes that the engine asks for.
    static func wakes(_ change: @escaping (inout Wake) -> Void) -> Defect {
        Defect(wanted: { effect, _ in
            guard case .wake(var wake) = effect else { return [effect] }
            change(&wake)
            return [.wake(wake)]
        })
    }

    /// The engine asks for the speaker's wake and leaves out its other deadlines.
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

    /// The service starts in another zone than the machine's. The defect has no effect if `other` returns
    /// nil.
    static func starts(in other: @escaping (Zone) -> Zone?) -> Defect {
        Defect(given: { input, _ in
            guard case .start(var start) = input, let zone = other(start.zone) else { return [input] }
            start.zone = zone
            return [.start(start)]
        })
    }

    /// After a restart the engine uses other late windows than it shows and records, so no list of alarms
    /// reveals the defect.
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

    /// After the end of an early ring the engine forgets that its alarm has rung: the alarm is deleted, and saved
    /// again as it was.
    static var forgetsEarlyRings: Defect {
        let forgotten = Box<Set<Occurrence>>([])
        return Defect(
            given: { input, engine in
                guard let past = engine.history.last, past.session?.earlySeconds ?? 0 > 0, engine.isAtRest,
                    past.occurrence.at.milliseconds > engine.status(nextCount: 0).nowMilliseconds,
                    !forgotten.value.contains(past.occurrence),
                    let alarm = engine.alarm(past.occurrence.alarm)?.alarm
                else { return [input] }
                forgotten.value.insert(past.occurrence)
                return [
                    input, .command(.delete(alarm.id), RequestHeader("forget \(past.occurrence)", by: .page)),
                    .command(.save(alarm), RequestHeader("forget \(past.occurrence), too", by: .page)),
                ]
            },
            wanted: { effect, _ in
                if case .reply(_, let request) = effect, request.id.hasPrefix("forget ") { [] } else { [effect] }
            })
    }

    /// The sound stops after a refusal.
    static func silenced(by refusal: Refusal) -> Defect {
        Defect(wanted: { effect, _ in effect == .prompt(.refused(refusal)) ? [effect, .sound(nil)] : [effect] })
    }

    /// Changes every fifth reply.
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
    /// The same, with a changed alarm or a changed position in its plan.
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

    /// The same, as if a snapshot had forgotten the last day of an alarm.
    var goneBack: Entry {
        guard case .alarmKept(let alarm, var position, _) = fact else { return self }
        position.cursor = position.cursor.advanced(by: -86_400)
        position.anchor?.handledAt = nil
        return Entry(millisecondsSince1970: millisecondsSince1970, .alarmKept(alarm, position, rung: []))
    }

    /// The same, as if it were the first snooze.
    var asFirstSnooze: Entry {
        guard case .snoozed(let occurrence, _, let until) = fact else { return self }
        return Entry(
            millisecondsSince1970: millisecondsSince1970, .snoozed(occurrence, count: 1, untilMilliseconds: until))
    }
}

/// The same zone, with clocks set back an hour late. A time that occurs twice then resolves to the second.
func withSecondTimes(_ zone: Zone) -> Zone? {
    let rules = [
        "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/4", "America/New_York": "EST5EDT,M3.2.0,M11.1.0/3",
        "Australia/Lord_Howe": "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0/3",
    ]
    return rules[zone.name].flatMap { Zone(name: zone.name, rule: $0) }
}

/// A value that a defect keeps between effects.
final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
