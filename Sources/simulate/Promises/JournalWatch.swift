// Promise 4, as far as it is about the journal: what was durable is found again, by a restart and behind a snapshot.

import Alarms
import Engine

/// Follows what goes to the disk and what is found there.
struct JournalWatch {
    /// What the durable records say.
    private(set) var model = Model()
    /// What is durable, in order.
    private var durable: [Entry] = []
    /// What was found behind that on a disk that takes nothing: it may be lost with the power.
    private var unsure: [Entry] = []
    /// What is on its way to the disk, by its number.
    private var pending: [Int: [Entry]] = [:]
    /// What was on its way to the disk, or was refused, since something was last kept: a restart may find one of these, for
    /// a failing disk may have taken it.
    private var perhaps: [[Entry]] = []
    /// Whether something was on its way to the disk when the service died, or had been refused.
    private(set) var wasBehind = false
    /// A snapshot that was being written when the power went.
    private var snapshot: [Entry]?

    mutating func keeps(_ entries: [Entry], number: Int) {
        pending[number] = entries
        perhaps.append(entries)
    }

    /// A session begins anew that had ended.
    mutating func forget(_ occurrence: Occurrence) { model.forget(occurrence) }

    /// Whether what was found is on a disk that takes nothing.
    var isUnsure: Bool { !unsure.isEmpty }

    /// Whether something is on its way to the disk that may be what a command came to.
    func isPending(_ isMeant: (Fact) -> Bool) -> Bool {
        pending.values.contains { $0.contains { isMeant($0.fact) } }
    }

    /// Entries are durable.
    mutating func kept(_ entries: [Entry], number: Int) {
        pending[number] = nil
        durable += unsure + entries
        unsure = []
        // What failed before has failed for good.
        (perhaps, snapshot) = ([], nil)
        for entry in entries { model.apply(entry) }
    }

    mutating func notKept(number: Int) { pending[number] = nil }

    /// A snapshot takes the place of all entries.
    mutating func compacts(to snapshot: [Entry]) { self.snapshot = snapshot }

    mutating func compacted() {
        guard let snapshot else { return }
        (durable, unsure, self.snapshot) = (snapshot, [], nil)
    }

    /// The service starts again from these entries; `isUnsure` says that the disk takes nothing. Returns what is wrong with
    /// them.
    mutating func found(_ entries: [Entry], isUnsure: Bool) -> String? {
        var bases = [durable, durable + unsure]
        if let snapshot { bases.append(snapshot) }
        let isFound = bases.contains { base in entries == base || perhaps.contains { entries == base + $0 } }
        if !isFound {
            return "\(durable.count) entries were durable, \(entries.count) were found, and not the same"
        }
        wasBehind = !perhaps.isEmpty
        pending = [:]
        if isUnsure, entries.starts(with: durable) {
            unsure = Array(entries.dropFirst(durable.count))
        } else {
            (durable, unsure, perhaps, snapshot) = (entries, [], [], nil)
        }
        model = Model(entries)
        return nil
    }

    /// What is wrong with a snapshot of an engine that has nothing on its way to the disk: the records come to the same.
    func mistake(in snapshot: [Entry]) -> String? {
        difference(of: Engine(replaying: durable + unsure).snapshot, from: snapshot).map { found, known in
            "a restart would find \(found) where \(known) is known"
        }
    }

    /// What a restart would find that is not as it is known.
    func mistake(in world: World) -> String? {
        let snapshot = world.snapshot
        if let mistake = mistake(in: snapshot) { return mistake }
        if let (found, known) = difference(of: Engine(replaying: snapshot).snapshot, from: snapshot) {
            return "a snapshot comes to \(found) where it is of \(known)"
        }
        let (again, engine) = (world.restarted(from: durable + unsure), world.engine)
        // A clock that is not trusted may have run since the newest record: then both do not know the same time.
        let ahead = engine.status(nextCount: 0).nowMilliseconds - again.status(nextCount: 0).nowMilliseconds
        guard abs(ahead) < 1000, let (found, known) = difference(of: again.nextRings, from: engine.nextRings) else {
            return nil
        }
        return "a restart would ring next \(found) and not \(known)"
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
