// Promise 4, as far as it is about the journal: what was durable is found again, by a restart and behind a snapshot.

import Alarms
import Engine

/// Follows what goes to the disk and what is found there.
struct JournalWatch {
    /// What the durable records say.
    var model = DurableState()
    /// What is durable, in order.
    private var durable: [Entry] = []
    /// What was found behind that on a disk that takes nothing: it may be lost with the power.
    private(set) var unsure: [Entry] = []
    /// What is on its way to the disk, by its number.
    private var pending: [Int: [Entry]] = [:]
    /// What was on its way to the disk, or was refused, since something was last kept: a restart may find one of these, for
    /// a failing disk may have taken it.
    private var unconfirmed: [[Entry]] = []
    /// Whether something was on its way to the disk when the service died, or had been refused.
    private(set) var wasBehind = false
    /// A snapshot that was being written when the power went.
    private var snapshot: [Entry]?

    mutating func commitSent(_ entries: [Entry], number: Int) {
        pending[number] = entries
        unconfirmed.append(entries)
    }

    /// Whether something is on its way to the disk that may be what a command came to.
    func isPending(_ isMeant: (Fact) -> Bool) -> Bool {
        pending.values.contains { $0.contains { isMeant($0.fact) } }
    }

    /// Entries are durable.
    mutating func committed(_ entries: [Entry], number: Int) {
        pending[number] = nil
        durable += unsure + entries
        unsure = []
        // What failed before has failed for good.
        (unconfirmed, snapshot) = ([], nil)
        for entry in entries { model.apply(entry) }
    }

    mutating func commitFailed(number: Int) { pending[number] = nil }

    /// A snapshot takes the place of all entries.
    mutating func compactionSent(to snapshot: [Entry]) { self.snapshot = snapshot }

    mutating func compacted() {
        guard let snapshot else { return }
        (durable, unsure, self.snapshot) = (snapshot, [], nil)
    }

    /// The service starts again from these entries; `isUnsure` says that the disk takes nothing. Returns what is wrong with
    /// them.
    mutating func found(_ entries: [Entry], isUnsure: Bool) -> String? {
        var bases = [durable, durable + unsure]
        if let snapshot { bases.append(snapshot) }
        let isFound = bases.contains { base in entries == base || unconfirmed.contains { entries == base + $0 } }
        if !isFound {
            return "\(durable.count) entries were durable, \(entries.count) were found, and not the same"
        }
        wasBehind = !unconfirmed.isEmpty
        pending = [:]
        if isUnsure, entries.starts(with: durable) {
            unsure = Array(entries.dropFirst(durable.count))
        } else {
            (durable, unsure, unconfirmed, snapshot) = (entries, [], [], nil)
        }
        model = DurableState(entries)
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

/// What is durable, as far as the watchers compare it with what its owner was told.
struct DurableState {
    /// What has come of a session.
    struct DurableProgress {
        var snoozeCount = 0
        var restCount = 0
        var doneCount = 0
        /// How many sums of the open challenge are solved.
        var solvedCount = 0
    }

    /// The revision of when each alarm rings.
    private(set) var revisions: [Alarm.ID: Int] = [:]
    /// The sessions that have not ended.
    private(set) var open: [Occurrence: DurableProgress] = [:]
    private(set) var ended: Set<Occurrence> = []
    private(set) var isCameraBroken = false
    /// When the newest record was made.
    private(set) var newestMilliseconds = 0

    init(_ entries: [Entry] = []) {
        for entry in entries { apply(entry) }
    }

    mutating func apply(_ entry: Entry) {
        newestMilliseconds = max(newestMilliseconds, entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(let alarm, let position), .alarmKept(let alarm, let position, _):
            revisions[alarm.id] = position.revision
        case .alarmDeleted(let id): revisions[id] = nil
        case .clockStepped(_, let to): newestMilliseconds = to
        case .healthChanged(.camera, let health): isCameraBroken = health.grade == .broken
        case .fired(let session):
            open[session.occurrence] = DurableProgress()
            ended.remove(session.occurrence)
        case .snoozed(let occurrence, let count, _):
            change(occurrence) { $0.snoozeCount = max($0.snoozeCount, count) }
        case .rested(let occurrence, let count, _):
            change(occurrence) { $0.restCount = max($0.restCount, count) }
        case .challengeDone(let occurrence, let index):
            change(occurrence) { ($0.doneCount, $0.solvedCount) = (index + 1, 0) }
        case .sumSolved(let occurrence, _, let count): change(occurrence) { $0.solvedCount = count }
        case .ended(let occurrence, _, _, _, _):
            // A test belongs to no alarm.
            if !occurrence.alarm.isEmpty { ended.insert(occurrence) }
            forget(occurrence)
        case .pastKept(let ring): if ring.session != nil { ended.insert(ring.occurrence) }
        default: break
        }
    }

    /// Whether a session has begun by what is durable.
    func knows(_ occurrence: Occurrence) -> Bool { open[occurrence] != nil || ended.contains(occurrence) }

    /// Another session may have the same occurrence: its alarm is gone, or the clock was set back by much.
    mutating func forget(_ occurrence: Occurrence) { open[occurrence] = nil }

    private mutating func change(_ occurrence: Occurrence, _ change: (inout DurableProgress) -> Void) {
        if let index = open.index(forKey: occurrence) { change(&open.values[index]) }
    }
}
