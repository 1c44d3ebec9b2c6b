// Mistakes that real alarm clocks make.

import Alarms
import CivilTime
import Engine
import Testing

@testable import simulate

/// A mistake by its name. Each run of nights gets a new one, for some remember what they have seen.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () -> Defect

    var testDescription: String { name }

    init(_ name: String, _ make: @escaping @Sendable () -> Defect) {
        self.name = name
        self.make = make
    }

    /// A restart that does not find some of what was kept.
    static func forgets(_ name: String, _ isForgotten: @escaping @Sendable (Fact) -> Bool) -> PlantedDefect {
        PlantedDefect(name) {
            Defect(name: name, replayed: { $0.filter { !isForgotten($0.fact) } })
        }
    }

    static let all: [PlantedDefect] = [
        .forgets("a snooze is lost at a restart") { if case .snoozed = $0 { true } else { false } },
        .forgets("a deleted alarm is armed again by a restart") { if case .alarmDeleted = $0 { true } else { false } },
        .forgets("a completed challenge is lost at a restart") { if case .challengeDone = $0 { true } else { false } },
        .forgets("pulling the plug ends the ring") { if case .fired = $0 { true } else { false } },
        .forgets("an alarm that was stopped rings again after a restart") {
            if case .ended = $0 { true } else { false }
        },
        .forgets("the master switch is on again after a restart") {
            if case .settingsSaved = $0 { true } else { false }
        },
        .forgets("codes are lost at a restart") { if case .codeEnrolled = $0 { true } else { false } },
        PlantedDefect("the end of a one-time alarm overwrites the list") {
            Defect(
                name: "overwrites",
                replayed: { entries in
                    let ended = entries.compactMap { entry -> Alarm.ID? in
                        if case .ended(let occurrence, _, _, _?) = entry.fact { occurrence.alarm } else { nil }
                    }
                    guard let last = ended.last else { return entries }
                    return entries.filter { entry in
                        if case .alarmSaved(let alarm, _) = entry.fact { alarm.id == last } else { true }
                    }
                })
        },
        PlantedDefect("snoozes are counted from one again after a restart") {
            Defect(
                name: "recount",
                replayed: { entries in
                    entries.map { entry in
                        guard case .snoozed(let occurrence, _, let until) = entry.fact else { return entry }
                        return Entry(
                            millisecondsSince1970: entry.millisecondsSince1970,
                            .snoozed(occurrence, count: 1, untilMilliseconds: until))
                    }
                })
        },
        PlantedDefect("the next ring is computed from tomorrow") {
            Defect(
                name: "tomorrow",
                replayed: { entries in
                    entries.map { entry in
                        guard case .alarmSaved(let alarm, let since) = entry.fact else { return entry }
                        return Entry(
                            millisecondsSince1970: entry.millisecondsSince1970,
                            .alarmSaved(alarm, since: since.advanced(by: 86_400)))
                    }
                })
        },
        PlantedDefect("the late window is ignored after a restart") {
            Defect(
                name: "late",
                replayed: { entries in
                    entries.map { entry in
                        guard case .alarmSaved(var alarm, let since) = entry.fact else { return entry }
                        alarm.lateWindowSeconds = 43_200
                        return Entry(
                            millisecondsSince1970: entry.millisecondsSince1970, .alarmSaved(alarm, since: since))
                    }
                })
        },
        PlantedDefect("the second alarm is swallowed") {
            let last = Box<Occurrence?>(nil)
            return Defect(
                name: "swallowed",
                wanted: { effect, _ in
                    guard case .sound(let order) = effect else { return [effect] }
                    defer { last.value = order?.occurrence }
                    let isSecond = order != nil && last.value != nil && order?.occurrence != last.value
                    return [isSecond ? .sound(nil) : effect]
                })
        },
        PlantedDefect("stop is honoured during validation") { silenced(by: .validating) },
        PlantedDefect("a stop that is refused stops the sound") { silenced(by: .challengesOpen) },
        PlantedDefect("a snooze is silent before it is durable") {
            Defect(
                name: "early silence",
                wanted: { effect, _ in
                    guard case .keep(let entries, _) = effect else { return [effect] }
                    let isSnooze = entries.contains { if case .snoozed = $0.fact { true } else { false } }
                    return isSnooze ? [effect, .sound(nil)] : [effect]
                })
        },
        PlantedDefect("the volume starts again after each snooze") {
            Defect(
                name: "ramp",
                wanted: { effect, world in
                    guard case .sound(var order?) = effect else { return [effect] }
                    order.rampStartUptime = world.moment.uptimeMilliseconds
                    return [.sound(order)]
                })
        },
        PlantedDefect("a wake is lost now and then") {
            let count = Box(0)
            return Defect(
                name: "lost wakes",
                given: { input, _ in
                    guard case .timer = input else { return [input] }
                    count.value += 1
                    return count.value % 3 == 0 ? [] : [input]
                })
        },
        PlantedDefect("a change of zone goes unnoticed") {
            Defect(name: "zone", given: { input, _ in if case .zoneChanged = input { [] } else { [input] } })
        },
        PlantedDefect("after a restart the clock is read as UTC") {
            Defect(
                name: "UTC",
                given: { input, _ in
                    guard case .start(var start) = input else { return [input] }
                    start.zone = .utc
                    return [.start(start)]
                })
        },
        PlantedDefect("a reply is lost now and then") { replies { _ in [] } },
        PlantedDefect("a reply comes twice now and then") { replies { [$0, $0] } },
        PlantedDefect("what the disk refused is taken for durable") {
            Defect(
                name: "refused",
                given: { input, _ in if case .notKept(let number, _) = input { [.kept(number)] } else { [input] } })
        },
        PlantedDefect("a request is acknowledged before it is durable") {
            let number = Box<Int?>(nil)
            return Defect(
                name: "early acknowledgement",
                given: { input, _ in
                    defer { number.value = nil }
                    return number.value.map { [.kept($0), input] } ?? [input]
                },
                wanted: { effect, _ in
                    if case .keep(_, let kept) = effect { number.value = kept }
                    return [effect]
                })
        },
        PlantedDefect("the sound goes on after the end") {
            Defect(name: "goes on", wanted: { effect, _ in effect == .sound(nil) ? [] : [effect] })
        },
        PlantedDefect("it rings with no sound") {
            Defect(name: "silent", wanted: { effect, _ in if case .sound(_?) = effect { [] } else { [effect] } })
        },
        PlantedDefect("a snooze has no end") {
            Defect(
                name: "endless",
                wanted: { effect, _ in
                    guard case .wake(var wake) = effect else { return [effect] }
                    wake.uptimeMilliseconds = nil
                    return [.wake(wake)]
                })
        },
    ]
}

/// Remembers something from one effect to the next.
private final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Silence follows a refusal.
private func silenced(by refusal: Refusal) -> Defect {
    Defect(
        name: "silenced",
        wanted: { effect, _ in effect == .tell(.refused(refusal)) ? [effect, .sound(nil)] : [effect] })
}

/// Something becomes of every fifth reply.
private func replies(_ become: @escaping (Effect) -> [Effect]) -> Defect {
    let count = Box(0)
    return Defect(
        name: "replies",
        wanted: { effect, _ in
            guard case .reply = effect else { return [effect] }
            count.value += 1
            return count.value % 5 == 0 ? become(effect) : [effect]
        })
}
