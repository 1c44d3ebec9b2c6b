// The planted defects, which real alarm clocks have.

import Alarms
import Challenges
import CivilTime
import Engine
import Testing

@testable import simulate

/// A named defect and the promises that it breaks. `make` creates a new one for each run, because some keep
/// state.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
    let name: String
    /// The simulation must report one of these.
    let promises: Set<Promise>
    let make: @Sendable () -> Defect

    var testDescription: String { name }

    init(_ name: String, breaks promises: Set<Promise>, _ make: @escaping @Sendable () -> Defect) {
        self.name = name
        self.promises = promises
        self.make = make
    }

    /// Runs nights until the defect breaks a promise.
    func search() -> SimulationRun {
        var simulation = SimulationRun(seed: 1, faults: SimulationTests.all)
        simulation.run(600, defect: make)
        return simulation
    }

    /// Returns a defect in which a restart forgets some of the facts.
    static func forgets(
        _ name: String, breaks promises: Set<Promise>, _ isForgotten: @escaping @Sendable (Fact) -> Bool
    ) -> PlantedDefect {
        PlantedDefect(name, breaks: promises) {
            Defect(replayed: { $0.filter { !isForgotten($0.fact) } })
        }
    }

    static let all: [PlantedDefect] = [
        .forgets("a snooze is lost at a restart", breaks: [.memory]) { if case .snoozed = $0 { true } else { false } },
        .forgets("a deleted alarm is armed again by a restart", breaks: [.rings, .memory]) {
            if case .alarmDeleted = $0 { true } else { false }
        },
        .forgets("a completed challenge is lost at a restart", breaks: [.memory]) {
            if case .challengeDone = $0 { true } else { false }
        },
        .forgets("pulling the plug ends the ring", breaks: [.rings, .memory]) {
            if case .fired = $0 { true } else { false }
        },
        .forgets("an alarm that was stopped rings again after a restart", breaks: [.rings, .memory]) {
            if case .ended = $0 { true } else { false }
        },
        .forgets("the master switch is on again after a restart", breaks: [.memory]) {
            if case .settingsSaved = $0 { true } else { false }
        },
        .forgets("codes are lost at a restart", breaks: [.memory]) {
            if case .codeEnrolled = $0 { true } else { false }
        },
        .forgets("a notice is given again after a restart", breaks: [.memory, .notices]) {
            if case .noticeGiven = $0 { true } else { false }
        },
        PlantedDefect("a notice is repeated", breaks: [.notices]) {
            Defect(wanted: { effect, _ in if case .prompt(.notice) = effect { [effect, effect] } else { [effect] } })
        },
        PlantedDefect("a notice is lost", breaks: [.notices]) {
            .drops { effect in if case .prompt(.notice) = effect { true } else { false } }
        },
        PlantedDefect("an early ring rings again", breaks: [.rings, .memory]) { .forgetsEarlyRings },
        PlantedDefect("a movement begins no ring", breaks: [.rings]) {
            .drops { input, engine in if case .step = input { engine.isAtRest } else { false } }
        },
        PlantedDefect("an early ring needs no movement", breaks: [.rings]) {
            Defect(given: { input, _ in if case .timer = input { [.step(), input] } else { [input] } })
        },
        PlantedDefect("the end of a one-time alarm overwrites the list", breaks: [.memory]) {
            Defect(replayed: { entries in
                let ended = entries.compactMap { entry -> Alarm.ID? in
                    if case .ended(let occurrence, _, _, _, _?) = entry.fact { occurrence.alarm } else { nil }
                }
                guard let last = ended.last else { return entries }
                return entries.filter { entry in
                    if case .alarmSaved(let alarm, _) = entry.fact { alarm.id == last } else { true }
                }
            })
        },
        PlantedDefect("snoozes are counted from one again after a restart", breaks: [.memory, .silence]) {
            Defect(replayed: { $0.map(\.asFirstSnooze) })
        },
        PlantedDefect("a snooze is always the first", breaks: [.silence]) {
            Defect(wanted: { effect, _ in
                guard case .commit(let entries, let number) = effect else { return [effect] }
                return [.commit(entries.map(\.asFirstSnooze), number: number)]
            })
        },
        PlantedDefect("the next ring is computed from tomorrow", breaks: [.rings, .memory]) {
            Defect(replayed: { $0.map { $0.changed { $1.cursor = $1.cursor.advanced(by: 86_400) } } })
        },
        PlantedDefect("a restart fixes the day of an alarm a second time", breaks: [.rings, .memory]) {
            Defect(replayed: { entries in
                let now = Instant(secondsSince1970: (entries.last?.millisecondsSince1970 ?? 0) / 1000)
                return entries.map { entry in
                    entry.changed { alarm, position in
                        position.anchor = Schedule.anchor(
                            of: alarm, in: SimulatedZones.all[0], calendar: nil, after: now)
                    }
                }
            })
        },
        PlantedDefect("a restart goes back over a ring that was dismissed", breaks: [.rings, .memory]) {
            Defect(replayed: { entries in
                let engine = Engine(replaying: entries)
                return engine.canCompact ? engine.snapshot.map(\.goneBack) : entries
            })
        },
        PlantedDefect("a snapshot has an old cursor", breaks: [.rings, .memory]) {
            Defect(recorded: { $0.map(\.goneBack) })
        },
        PlantedDefect("a snapshot has no event", breaks: [.memory]) {
            Defect(recorded: { $0.filter { if case .eventKept = $0.fact { false } else { true } } })
        },
        .forgets("a cleared history is back after a restart", breaks: [.memory]) {
            if case .historyCleared = $0 { true } else { false }
        },
        PlantedDefect("a day that was fixed by a wrong clock stays", breaks: [.rings, .recovery]) {
            Defect(given: { input, engine in
                guard case .command(let command, _) = input, !command.alarms.isEmpty,
                    !engine.status(nextCount: 0).isClockTrusted
                else {
                    return [input]
                }
                return [.clockTrusted(true), input, .clockTrusted(false)]
            })
        },
        PlantedDefect("an alarm that is to ring is answered not to", breaks: [.memory]) {
            Defect(wanted: { effect, _ in
                guard case .reply(.done(.saved(let saved, let warnings)), let request) = effect else { return [effect] }
                return [.reply(.done(.saved(SavedAlarm(saved.alarm, next: nil), warnings: warnings)), to: request)]
            })
        },
        PlantedDefect("the late window is ignored after a restart", breaks: [.rings]) {
            .lateWindows([0: 43_197, 600: 43_198, 3600: 43_199])
        },
        PlantedDefect("whatever is late after a restart is missed", breaks: [.rings]) {
            .lateWindows([43_200: 3, 3600: 2, 600: 1])
        },
        PlantedDefect("the second alarm is swallowed", breaks: [.sound]) {
            let last = Box<Occurrence?>(nil)
            return Defect(wanted: { effect, _ in
                guard case .sound(let order) = effect else { return [effect] }
                defer { last.value = order?.occurrence }
                let isSecond = order != nil && last.value != nil && order?.occurrence != last.value
                return [isSecond ? .sound(nil) : effect]
            })
        },
        PlantedDefect("stop is honoured during validation", breaks: [.ending]) {
            Defect(given: { input, engine in
                guard case .button(.stop, true, _) = input,
                    let session = engine.status(nextCount: 0).sessions.first
                else { return [input] }
                // Each challenge counts as solved when it is asked.
                return switch session.assignment {
                case .tag(let labels): [.tag([CodeDigest(labels[0])])]
                case .code(let labels):
                    [
                        .frame([], takenUptime: engine.clock.uptime),
                        .frame([SeenCode(digests: [CodeDigest(labels[0])], byteCount: 1)]),
                    ]
                default: [input]
                }
            })
        },
        PlantedDefect("a lock refuses, and does what was asked for", breaks: [.ending]) {
            Defect(wanted: { effect, _ in
                guard case .reply(.refused(let refusal), let request) = effect, refusal.code == .locked else {
                    return [effect]
                }
                return [.reply(.done(.done), to: request)]
            })
        },
        PlantedDefect("a button that is let go is taken for held", breaks: [.ending]) {
            .drops { input, _ in if case .button(_, isDown: false, uptime: _) = input { true } else { false } }
        },
        PlantedDefect("summer time is not known", breaks: [.rings]) {
            .starts(in: { Zone(name: $0.name, rule: "CET-1") })
        },
        PlantedDefect("in the hour that comes twice it rings at the second time", breaks: [.rings, .memory]) {
            .starts(in: withSecondTimes)
        },
        PlantedDefect("in the hour that comes twice it rings at both times", breaks: [.rings, .memory]) {
            let zone = Box<Zone?>(nil)
            return Defect(given: { input, _ in
                switch input {
                case .start(let start):
                    zone.value = withSecondTimes(start.zone)
                    return [input]
                // After the first ring, the zone changes, so that the same time comes again.
                case .audioStarted: return zone.value.map { [input, .zoneChanged($0)] } ?? [input]
                default: return [input]
                }
            })
        },
        PlantedDefect("a skip is forgotten as soon as it is acknowledged", breaks: [.rings, .memory]) {
            Defect(given: { input, _ in
                guard case .command(.skip(let id, _), let request) = input else { return [input] }
                return [.command(.unskip(id), request)]
            })
        },
        PlantedDefect("an alarm rings a day of the week too late", breaks: [.rings, .memory]) {
            Defect(given: { input, _ in
                guard case .command(.save(var alarm), let request) = input, let rule = alarm.weekly.first else {
                    return [input]
                }
                alarm.weekly = [Weekday.allCases[rule.key.rawValue % 7]: rule.value]
                return [.command(.save(alarm), request)]
            })
        },
        PlantedDefect("after the disk has failed once nothing is kept any more", breaks: [.memory, .recovery]) {
            let hasFailed = Box(false)
            return Defect(given: { input, _ in
                switch input {
                case .commitFailed:
                    hasFailed.value = true
                    return [input]
                case .committed(let number) where hasFailed.value:
                    return [.commitFailed(number, reason: "the disk is bad")]
                default: return [input]
                }
            })
        },
        PlantedDefect("after the disk has failed once no new alarm is taken any more", breaks: [.recovery]) {
            let hasFailed = Box(false)
            return Defect(given: { input, _ in
                if case .commitFailed = input { hasFailed.value = true }
                guard hasFailed.value, case .command(.save, let request) = input else { return [input] }
                return [.command(.delete("nobody"), request)]
            })
        },
        PlantedDefect("a sound goes on when nothing rings any more", breaks: [.sound]) {
            .drops { effect in if case .sound(nil) = effect { true } else { false } }
        },
        PlantedDefect("a wake comes a minute late", breaks: [.rings, .notices]) {
            .wakes { $0.next.wallMilliseconds = $0.next.wallMilliseconds.map { $0 + 60_000 } }
        },
        PlantedDefect("a stop that is refused stops the sound", breaks: [.sound]) { .silenced(by: .challengesOpen) },
        PlantedDefect("a snooze is silent before it is durable", breaks: [.sound]) {
            Defect(wanted: { effect, _ in
                guard case .commit(let entries, _) = effect else { return [effect] }
                let isSnooze = entries.contains { if case .snoozed = $0.fact { true } else { false } }
                return isSnooze ? [effect, .sound(nil)] : [effect]
            })
        },
        PlantedDefect("the volume starts again after each snooze", breaks: [.loudness]) {
            Defect(wanted: { effect, moment in
                guard case .sound(var order?) = effect else { return [effect] }
                order.rampStartUptime = moment.uptimeMilliseconds
                return [.sound(order)]
            })
        },
        PlantedDefect("a shaker is left on", breaks: [.sound]) {
            .drops { effect in if case .shake(nil) = effect { true } else { false } }
        },
        PlantedDefect("a sunrise lamp is left on", breaks: [.light]) {
            .drops { effect in if case .sunrise(nil) = effect { true } else { false } }
        },
        PlantedDefect("a sunrise does not follow the clock", breaks: [.light]) {
            let hasBegun = Box(false)
            return .drops { effect in
                guard case .sunrise(let order) = effect else { return false }
                defer { if case .rising = order { hasBegun.value = true } else { hasBegun.value = false } }
                if case .rising = order { return hasBegun.value }
                return false
            }
        },
        PlantedDefect("a bedtime is given twice", breaks: [.notices]) {
            Defect(wanted: { effect, _ in
                if case .prompt(.bedtime) = effect { [effect, effect] } else { [effect] }
            })
        },
        PlantedDefect("the sound never escalates", breaks: [.sound]) {
            let sounds = Box<[Occurrence: String]>([:])
            return Defect(wanted: { effect, _ in
                guard case .sound(var order?) = effect else { return [effect] }
                order.ring.sound = sounds.value[order.occurrence, default: order.ring.sound]
                sounds.value[order.occurrence] = order.ring.sound
                return [.sound(order)]
            })
        },
        PlantedDefect("a wake is lost now and then", breaks: [.rings, .ending, .silence, .notices]) {
            let count = Box(0)
            return .drops { input, _ in
                if case .timer = input { count.value += 1 }
                return input == .timer && count.value % 3 == 0
            }
        },
        PlantedDefect("a change of zone goes unnoticed", breaks: [.rings]) {
            .drops { input, _ in if case .zoneChanged = input { true } else { false } }
        },
        PlantedDefect("after a restart the clock is read as UTC", breaks: [.rings]) {
            .starts(in: { _ in .utc })
        },
        PlantedDefect("a reply is lost now and then", breaks: [.memory, .answers]) { .replies { _ in [] } },
        PlantedDefect("a reply comes twice now and then", breaks: [.answers]) { .replies { [$0, $0] } },
        PlantedDefect("what the disk refused is taken for durable", breaks: [.memory, .silence]) { .takesRefused },
        PlantedDefect("a request is acknowledged before it is durable", breaks: [.memory]) {
            let number = Box<Int?>(nil)
            return Defect(
                given: { input, _ in
                    defer { number.value = nil }
                    return number.value.map { [.committed($0), input] } ?? [input]
                },
                wanted: { effect, _ in
                    if case .commit(_, let kept) = effect { number.value = kept }
                    return [effect]
                })
        },
        PlantedDefect("a device that left the configuration is still asked for", breaks: [.ending]) {
            Defect(given: { input, _ in
                guard case .start(var start) = input else { return [input] }
                start.kinds = Set(Challenge.Kind.allCases)
                return [.start(start)]
            })
        },
        PlantedDefect("it rings with no sound", breaks: [.sound]) {
            .drops { effect in if case .sound(_?) = effect { true } else { false } }
        },
        PlantedDefect("a snooze has no end", breaks: [.silence]) { .wakes { $0.next.uptimeMilliseconds = nil } },
        PlantedDefect(
            "a part leaves its deadline out: only what is heard is waited for",
            breaks: [.rings, .ending, .silence, .recovery, .answers, .notices]
        ) { .waitsForSoundAlone },
        PlantedDefect("a session that rests is never left by time", breaks: [.silence]) {
            .drops { input, engine in
                guard let session = engine.status(nextCount: 0).sessions.first?.session else { return false }
                return if case .resting = session.state { input == .timer } else { false }
            }
        },
        .forgets("a wake-up check is lost at a cut", breaks: [.checks]) {
            if case .checkBegan = $0 { true } else { false }
        },
        PlantedDefect("a wake-up check that is not answered counts as answered", breaks: [.checks]) {
            Defect(given: { input, engine in
                let isOver = engine.status(nextCount: 0).sessions.contains {
                    $0.asksMilliseconds == 0 && $0.leftMilliseconds ?? 0 <= 10_000
                }
                return input == .timer && isOver ? [.keyPressed] : [input]
            })
        },
        PlantedDefect("a wake-up check is never left by time", breaks: [.checks]) {
            .drops { input, engine in
                input == .timer && engine.status(nextCount: 0).sessions.contains { $0.asksMilliseconds == 0 }
            }
        },
        PlantedDefect("a commit forgets the replies that are due when it is durable", breaks: [.memory, .answers]) {
            let isKept = Box(false)
            return Defect(
                given: { input, _ in
                    isKept.value = if case .committed = input { true } else { false }
                    return [input]
                },
                wanted: { effect, _ in
                    if isKept.value, case .reply = effect { return [] }
                    return [effect]
                })
        },
    ]
}
