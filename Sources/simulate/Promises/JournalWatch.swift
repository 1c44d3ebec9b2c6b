// Promise 4 for the journal: a restart finds every durable entry, also after a compaction.

import Alarms
import Engine
import Health

/// The checker's record of the entries on their way to the disk, and of those that a restart found.
struct JournalWatch {
    var model = DurableState()
    private var durable: [Entry] = []
    /// The entries that a restart found on a disk that refuses writes. The next power cut may lose them.
    private(set) var unsure: [Entry] = []
    /// The commits on their way to the disk, by number.
    private var pending: [Int: [Entry]] = [:]
    /// Commits that were sent or failed since the last success. A failing disk may have any one of them.
    private var unconfirmed: [[Entry]] = []
    /// True if a commit was under way or had failed when the service died.
    private(set) var wasBehind = false
    /// The snapshot of the compaction under way. After a power cut the disk may have it.
    private var snapshot: [Entry]?

    mutating func commitSent(_ entries: [Entry], number: Int) {
        pending[number] = entries
        unconfirmed.append(entries)
    }

    func isPending(_ isMeant: (Fact) -> Bool) -> Bool {
        pending.values.contains { $0.contains { isMeant($0.fact) } }
    }

    mutating func committed(_ entries: [Entry], number: Int) {
        pending[number] = nil
        durable += unsure + entries
        unsure = []
        // After a success, earlier failed commits have failed for good.
        (unconfirmed, snapshot) = ([], nil)
        for entry in entries { model.apply(entry) }
    }

    mutating func commitFailed(number: Int) { pending[number] = nil }

    mutating func compactionSent(to snapshot: [Entry]) { self.snapshot = snapshot }

    mutating func compacted() {
        guard let snapshot else { return }
        (durable, unsure, self.snapshot) = (snapshot, [], nil)
    }

    /// Compares the entries that a start found with the durable ones. Returns the mistake, or nil. If
    /// `isUnsure`, the disk refuses writes.
    mutating func found(_ entries: [Entry], isUnsure: Bool) -> String? {
        var bases = [durable, durable + unsure]
        if let snapshot { bases.append(snapshot) }
        let isFound = bases.contains { base in entries == base || unconfirmed.contains { entries == base + $0 } }
        if !isFound {
            return "the \(entries.count) entries that a start found are not the \(durable.count) durable ones"
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

    /// Returns the difference from the snapshot of the replayed records, or nil. No commit may be pending.
    func mistake(in snapshot: [Entry]) -> String? {
        difference(of: Engine(replaying: durable + unsure).snapshot, from: snapshot).map { found, known in
            "a restart would find \(found) instead of \(known)"
        }
    }

    /// Returns a difference that a restart would make, or nil.
    func mistake(in night: Simulation) -> String? {
        let snapshot = night.snapshot
        if let mistake = mistake(in: snapshot) { return mistake }
        if let (found, known) = difference(of: Engine(replaying: snapshot).snapshot, from: snapshot) {
            return "a snapshot restores \(found) instead of \(known)"
        }
        let (again, engine) = (night.restarted(from: durable + unsure), night.engine)
        // If an untrusted clock has run on since the newest record, the two times differ.
        let ahead = engine.status(nextCount: 0).nowMilliseconds - again.status(nextCount: 0).nowMilliseconds
        guard abs(ahead) < 1000, let (found, known) = difference(of: again.nextRings, from: engine.nextRings) else {
            return nil
        }
        return "after a restart the next ring would be \(found) instead of \(known)"
    }

    private func difference<Element: Equatable>(of some: [Element], from others: [Element]) -> (String, String)? {
        guard some != others else { return nil }
        let pair = zip(some, others).first { $0 != $1 }
        return (pair.map { "\($0.0)" } ?? "\(some.count)", pair.map { "\($0.1)" } ?? "\(others.count)")
    }
}

extension Engine {
    fileprivate var nextRings: [Occurrence] {
        let status = status(nextCount: .max)
        return status.sessions.map(\.session.occurrence) + status.next.map(\.occurrence)
    }
}

/// The part of the durable state that the checks compare.
struct DurableState {
    struct DurableProgress {
        var snoozeCount = 0
        var restCount = 0
        var checkCount = 0
        var failedCheckCount = 0
        var doneCount = 0
        var solvedCount = 0
        /// The begin of its last ring, or the end of its last pause.
        var activeMilliseconds = 0
    }

    private(set) var revisions: [Alarm.ID: Int] = [:]
    private(set) var open: [Occurrence: DurableProgress] = [:]
    private(set) var ended: Set<Occurrence> = []
    private(set) var broken: Set<Part> = []
    private(set) var newestMilliseconds = 0

    init(_ entries: [Entry] = []) {
        for entry in entries { apply(entry) }
    }

    mutating func apply(_ entry: Entry) {
        newestMilliseconds = max(newestMilliseconds, entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(let alarm, let position), .alarmKept(let alarm, let position, _):
            revisions[alarm.id] = position.revision
        case .alarmDeleted(let id, _): revisions[id] = nil
        case .clockStepped(_, let to): newestMilliseconds = to
        case .healthChanged(let part, let health):
            if health.grade == .broken { broken.insert(part) } else { broken.remove(part) }
        case .partRemoved(let part): broken.remove(part)
        case .fired(let session):
            open[session.occurrence] = DurableProgress(activeMilliseconds: session.firedMilliseconds)
            ended.remove(session.occurrence)
        case .snoozed(let occurrence, let count, let until):
            change(occurrence) { ($0.snoozeCount, $0.activeMilliseconds) = (max($0.snoozeCount, count), until) }
        case .snoozeTakenBack(let occurrence):
            change(occurrence) {
                ($0.snoozeCount, $0.activeMilliseconds) = ($0.snoozeCount - 1, entry.millisecondsSince1970)
            }
        case .rested(let occurrence, let count, let until):
            change(occurrence) { ($0.restCount, $0.activeMilliseconds) = (max($0.restCount, count), until) }
        case .resumed(let occurrence): change(occurrence) { $0.activeMilliseconds = entry.millisecondsSince1970 }
        case .checkBegan(let occurrence, let count, let until):
            change(occurrence) { ($0.checkCount, $0.activeMilliseconds) = (count, until) }
        case .checkFailed(let occurrence):
            change(occurrence) {
                ($0.failedCheckCount, $0.activeMilliseconds) = ($0.checkCount, entry.millisecondsSince1970)
                ($0.doneCount, $0.solvedCount, $0.restCount) = (0, 0, 0)
            }
        case .challengeDone(let occurrence, let index, _):
            change(occurrence) { ($0.doneCount, $0.solvedCount) = (index + 1, 0) }
        case .sumSolved(let occurrence, _, let count): change(occurrence) { $0.solvedCount = count }
        case .ended(let occurrence, _, _, _, _):
            // A test ring belongs to no alarm.
            if !occurrence.alarm.isEmpty { ended.insert(occurrence) }
            forget(occurrence)
        case .postponed(let id, let postponed, endsSession: true, _):
            let occurrence = Occurrence(alarm: id, at: postponed.ring)
            ended.insert(occurrence)
            forget(occurrence)
        case .pastKept(let ring): if ring.session != nil { ended.insert(ring.occurrence) }
        default: break
        }
    }

    func knows(_ occurrence: Occurrence) -> Bool { open[occurrence] != nil || ended.contains(occurrence) }

    /// Forgets a session. After a deletion or a step of the clock, another session may have its occurrence.
    mutating func forget(_ occurrence: Occurrence) { open[occurrence] = nil }

    private mutating func change(_ occurrence: Occurrence, _ change: (inout DurableProgress) -> Void) {
        if let index = open.index(forKey: occurrence) { change(&open.values[index]) }
    }
}
