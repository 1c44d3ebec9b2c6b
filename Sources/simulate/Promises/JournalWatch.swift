// Promise 4, as far as it is about the journal: what was durable is found again, by a restart and behind a snapshot.

import Alarms
import CivilTime
import Engine

/// Follows what goes to the disk and what is found there.
struct JournalWatch {
    /// What the durable records say.
    private(set) var model = Model()
    /// What is durable, in order.
    private var durable: [Entry] = []
    /// What was found behind that on a disk that takes nothing: it may be lost with the power.
    private var unsure: [Entry] = []
    /// What is on its way to the disk, and what was refused since something was last kept: a restart may find one of these,
    /// for nobody knows what a failing disk has taken.
    private var perhaps: [[Entry]] = []
    /// Whether something was on its way to the disk when the service died, or had been refused.
    private(set) var wasBehind = false
    /// A snapshot that was being written when the power went.
    private var snapshot: [Entry]?

    mutating func keeps(_ entries: [Entry]) {
        perhaps.append(entries)
    }

    /// A session begins anew that had ended.
    mutating func forget(_ occurrence: Occurrence) { model.forget(occurrence) }

    /// Whether what was found is on a disk that takes nothing.
    var isUnsure: Bool { !unsure.isEmpty }

    /// Entries are durable.
    mutating func kept(_ entries: [Entry]) {
        durable += unsure + entries
        unsure = []
        // What failed before has failed for good.
        (perhaps, snapshot) = ([], nil)
        for entry in entries { model.apply(entry) }
    }

    /// A snapshot takes the place of all entries.
    mutating func compacts(to snapshot: [Entry]) {
        self.snapshot = snapshot
    }

    mutating func compacted() {
        guard let snapshot else { return }
        (durable, unsure, self.snapshot) = (snapshot, [], nil)
    }

    /// The service starts again from these entries; `isUnsure` says that the disk takes nothing. Answers with what is wrong
    /// with them.
    mutating func found(_ entries: [Entry], isUnsure: Bool) -> String? {
        var bases = [durable, durable + unsure]
        if let snapshot { bases.append(snapshot) }
        let isFound = bases.contains { base in entries == base || perhaps.contains { entries == base + $0 } }
        if !isFound {
            return "\(durable.count) entries were durable, \(entries.count) were found, and not the same"
        }
        wasBehind = !perhaps.isEmpty
        if isUnsure, entries.starts(with: durable) {
            unsure = Array(entries.dropFirst(durable.count))
        } else {
            (durable, unsure, perhaps, snapshot) = (entries, [], [], nil)
        }
        model = Model(entries)
        return nil
    }

    /// What is wrong with a snapshot of an engine that has nothing on its way to the disk; nothing where it is true.
    func mistake(in snapshot: [Entry], of world: World) -> String? {
        let engine = world.engine
        if Model(snapshot).essence != model.essence { return "a snapshot says something else than the records" }
        let again = world.restarted(from: snapshot)
        if let (found, known) = difference(inNextRingsOf: again, from: engine) {
            return "a snapshot would ring next \(found) and not \(known)"
        }
        let alarms = [again, engine].map { world.alarms(of: $0).map(\.withoutDates) }
        let parts = [
            ("history", again.history == engine.history), ("alarms", alarms[0] == alarms[1]),
            ("codes", again.codes == engine.codes), ("settings", again.settings == engine.settings),
            ("calendars", again.calendars == engine.calendars),
        ]
        return parts.first { !$0.1 }.map { "a snapshot loses \($0.0)" }
    }

    /// What a restart would find that is not as it is known; nothing where it is.
    func mistake(in world: World) -> String? {
        // What is asked for becomes true when it is durable, what happens at once: a restart must come to the same.
        let known = world.snapshot
        if let (found, known) = difference(of: Engine(replaying: durable + unsure).snapshot, from: known) {
            return "a restart would find \(found) where \(known) is known"
        }
        if let (found, known) = difference(of: Engine(replaying: known).snapshot, from: known) {
            return "a snapshot comes to \(found) where it is of \(known)"
        }
        let again = world.restarted(from: durable + unsure)
        guard let (found, known) = difference(inNextRingsOf: again, from: world.engine) else { return nil }
        return "a restart would ring next \(found) and not \(known)"
    }

    /// What rings next is the same, if both know what time it is: a clock that nobody trusts may have run since the newest
    /// record.
    private func difference(inNextRingsOf again: Engine, from engine: Engine) -> (String, String)? {
        let ahead = engine.status(nextCount: 0).nowMilliseconds - again.status(nextCount: 0).nowMilliseconds
        return abs(ahead) < 1000 ? difference(of: again.nextRings, from: engine.nextRings) : nil
    }

    /// The first of two lists' elements that differ.
    private func difference<Element: Equatable>(of some: [Element], from others: [Element]) -> (String, String)? {
        guard some != others else { return nil }
        let pair = zip(some, others).first { $0 != $1 }
        return (pair.map { "\($0.0)" } ?? "\(some.count)", pair.map { "\($0.1)" } ?? "\(others.count)")
    }
}

extension Engine {
    /// What rings now, and then.
    fileprivate var nextRings: [Occurrence] {
        let status = status(nextCount: .max)
        return status.sessions.map(\.session.occurrence) + status.next.map(\.occurrence)
    }
}

extension Alarm {
    /// Without what it says about single dates: those that are over are forgotten some day.
    fileprivate var withoutDates: Alarm { forgettingDates(before: .last) }
}
