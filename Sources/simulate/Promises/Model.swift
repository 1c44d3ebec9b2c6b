// What the journal's records say, worked out a second time and as simply as can be.

import Alarms
import Engine

/// What is durable, as far as the watchers compare it with what its owner was told.
struct Model {
    /// What has come of a session.
    struct Progress {
        var snoozeCount = 0
        var restCount = 0
        var doneCount = 0
    }

    /// The revision of when each alarm rings.
    private(set) var revisions: [Alarm.ID: Int] = [:]
    /// The sessions that have not ended.
    private(set) var open: [Occurrence: Progress] = [:]
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
            open[session.occurrence] = Progress()
            ended.remove(session.occurrence)
        case .snoozed(let occurrence, let count, _):
            change(occurrence) { $0.snoozeCount = max($0.snoozeCount, count) }
        case .rested(let occurrence, let count, _):
            change(occurrence) { $0.restCount = max($0.restCount, count) }
        case .challengeDone(let occurrence, let index):
            change(occurrence) { $0.doneCount = index + 1 }
        case .ended(let occurrence, _, _, _, _):
            // A test belongs to no alarm.
            if !occurrence.alarm.isEmpty { ended.insert(occurrence) }
            forget(occurrence)
        case .pastKept(let ring): if ring.session != nil { ended.insert(ring.occurrence) }
        default: break
        }
    }

    /// Another session may have the same occurrence: its alarm is gone, or the clock was set back by much.
    mutating func forget(_ occurrence: Occurrence) { open[occurrence] = nil }

    private mutating func change(_ occurrence: Occurrence, _ change: (inout Progress) -> Void) {
        if let index = open.index(forKey: occurrence) { change(&open.values[index]) }
    }
}
