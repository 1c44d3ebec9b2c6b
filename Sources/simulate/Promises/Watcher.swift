// Watches from outside whether every promise is kept.

import Alarms
import CivilTime
import Engine

/// Sees everything that goes into an engine and comes out of it, and compares it with what was promised.
final class Watcher {
    /// The first promise that was broken, in words.
    private(set) var violation: String?
    /// How many sessions began.
    private(set) var ringCount = 0
    var model = Model()
    /// What is durable, in order.
    private var durable: [Entry] = []
    /// What is on its way to the disk, and what was refused since something was last kept: a restart may find one of these,
    /// for nobody knows what a failing disk has taken.
    private var perhaps: [[Entry]] = []
    private var isOnItsWay = false
    /// Whether the alarms may have changed since they were compared.
    private var areAlarmsStale = true
    var sessions = SessionWatch()
    var due = DueWatch()
    var requests = RequestWatch()
    private var sound: SoundOrder?

    func broke(_ promise: Int, _ words: @autoclosure () -> String) {
        if violation == nil { violation = "promise \(promise): \(words())" }
    }

    /// When the watcher wants to look, if nothing happens: a moment after something should have rung.
    var nextLookAt: Int? { [due.nextLookAt, sessions.nextLookAt].compactMap(\.self).min() }

    // MARK: what passes

    func willGive(_ input: Input, _ world: World) {
        sessions.willGive(input, at: world.now)
    }

    func asked(_ command: Command, _ request: Request, _ world: World) {
        requests.asked(command, request, model, due, world)
    }

    func worked(_ kind: Challenge.Kind, for occurrence: Occurrence) {
        sessions.worked(kind, for: occurrence)
    }

    func replied(_ reply: Reply, to request: Request, isAwaited: Bool, _ world: World) {
        if !isAwaited { broke(8, "\(request.id) was answered twice, or never asked: \(reply)") }
        requests.answered(request, reply, self)
    }

    func gave(_ effects: [Effect], _ world: World) {
        for effect in effects {
            switch effect {
            case .keep(let entries, _):
                perhaps.append(entries)
                isOnItsWay = true
            case .sound(let order): sound = order
            default: break
            }
        }
        look(world)
    }

    /// Entries are durable.
    func kept(_ entries: [Entry]) {
        durable += entries
        (perhaps, isOnItsWay) = ([], false)
        for entry in entries {
            model.apply(entry.fact)
            areAlarmsStale = areAlarmsStale || entry.fact.changesAlarms
        }
        due.changed(by: entries)
    }

    /// A snapshot has taken the place of all entries.
    func compacted(to snapshot: [Entry]) {
        durable = snapshot
    }

    func died() {
        sound = nil
        sessions.died()
        requests.died()
    }

    /// The service starts again from these entries.
    func restarted(_ world: World, entries: [Entry]?) {
        guard let entries else { return broke(4, "the journal could not be opened") }
        if entries != durable, !perhaps.contains(where: { entries == durable + $0 }) {
            broke(4, "\(durable.count) entries were durable, \(entries.count) were found, and not the same")
        }
        durable = entries
        (perhaps, isOnItsWay) = ([], false)
        model = Model(entries)
        areAlarmsStale = true
        due.restarted(model, in: world.zone)
        sessions.restarted(model)
    }

    /// What will be durable if the disk keeps what it was given last.
    var hoped: Model {
        var hoped = model
        for entry in perhaps.last ?? [] { hoped.apply(entry.fact) }
        return hoped
    }

    func look(_ world: World) {
        guard violation == nil else { return }
        let status = world.engine.status(nextCount: 0)
        let before = due
        due.prepare(status, world, model)
        ringCount += sessions.look(status, sound, world, self) { [due] occurrence in
            if before.isPlanned(occurrence) || due.isPlanned(occurrence) { return true }
            // When the clock is set, alarms count from another time, or are on again, at once.
            return due.isPlanned(occurrence, by: hoped, world)
        }
        due.look(status, world, self)
        compareAlarms(world)
    }

    func finish(_ world: World) {
        requests.finish(world, self)
        guard violation == nil, world.engine.canCompact else { return }
        // What is asked for becomes true when it is durable, what happens at once: a restart must come to the same.
        let known = world.engine.snapshot
        if let (found, lost) = difference(of: Engine(replaying: durable).snapshot, from: known) {
            broke(4, "a restart would find \(found) where \(lost) is known")
        }
        if let (found, lost) = difference(of: Engine(replaying: known).snapshot, from: known) {
            broke(4, "a snapshot comes to \(found) where it is of \(lost)")
        }
    }

    /// The first of two lists of entries that differ.
    private func difference(of some: [Entry], from others: [Entry]) -> (String, String)? {
        guard some != others else { return nil }
        let pair = zip(some, others).first { $0 != $1 }
        return (pair.map { "\($0.0)" } ?? "\(some.count) entries", pair.map { "\($0.1)" } ?? "\(others.count)")
    }

    /// Every alarm and every code that is durable is there as it is durable, and no other.
    private func compareAlarms(_ world: World) {
        guard areAlarmsStale, !isOnItsWay else { return }
        areAlarmsStale = false
        if Set(world.engine.codes.map(\.label)) != model.codes { broke(4, "a code was forgotten") }
        let alarms = world.engine.alarms
        // What happens is so at once, and may wait for a disk that fails.
        guard alarms.areThose(of: model) || alarms.areThose(of: hoped) else {
            return broke(4, "the alarms are \(alarms.map(\.id)), durable are \(model.alarms.keys.sorted())")
        }
    }
}

extension [Alarm] {
    fileprivate func areThose(of model: Model) -> Bool {
        count == model.alarms.count && allSatisfy { model.alarms[$0.id]?.alarm.withoutPast == $0.withoutPast }
    }
}

extension Alarm {
    /// Without what it says about single dates: those that are over are not shown any more.
    fileprivate var withoutPast: Alarm {
        forgettingDates(before: .last)
    }
}

extension Fact {
    /// Whether the alarms or the codes are others after it.
    fileprivate var changesAlarms: Bool {
        switch self {
        case .alarmSaved, .alarmDeleted, .codeEnrolled, .codeForgotten, .ended, .missed, .clockStepped: true
        default: false
        }
    }
}
