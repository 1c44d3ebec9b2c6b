// The log of events: refusals, wrong answers, failed sounds, clock steps and left-out days.
//
// Most events change no state, so a compaction would drop their facts, and the past rings do not have them.
// The log keeps the newest ones. A snapshot has each as a fact of its own (`eventKept`).
//
// A deletion is applied when it is durable, every other event at once, so an event may be applied before a
// deletion that precedes it in the journal. The log is ordered by time. Both orders lead to the same log.

import Alarms

/// An event that changes no state.
package enum Note: Hashable, Sendable {
    /// A wrong answer, tag or press in a challenge of this kind.
    case wrong(Challenge.Kind)
    /// The challenges of a locked alarm were done ahead of this ring.
    case unlocked
    /// The alarm would have rung, but the owner had skipped the date, or had paused the alarm on it.
    case skipped, paused
}

/// The newest events, the oldest first.
package struct EventLog: Sendable {
    package private(set) var entries: [Entry] = []

    /// The number of events that are kept at least.
    package static let countMax = 2000
    /// The number of events at which the oldest are dropped, many at once, because a removal moves all others.
    package static let countBeforeDropMax = countMax * 11 / 10

    mutating func apply(_ entry: Entry) {
        switch entry.fact {
        case .eventKept(let kept): insert(kept)
        case .historyCleared(let before, _):
            entries.removeAll { $0.millisecondsSince1970 < before }
            insert(entry)
        default: if entry.isEvent { insert(entry) }
        }
    }

    private mutating func insert(_ entry: Entry) {
        let place = entries.lastIndex { $0.isAtOrBefore(entry) }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
        if entries.count > EventLog.countBeforeDropMax { entries.removeFirst(entries.count - EventLog.countMax) }
    }

    /// Returns true if the log has this note of a ring.
    func contains(_ note: Note, of occurrence: Occurrence) -> Bool {
        entries.contains { if case .noted(occurrence, note, _) = $0.fact { true } else { false } }
    }

    /// Returns the last label of an alarm that was deleted, or nil if the log does not have its deletion.
    func label(ofDeleted id: Alarm.ID) -> String? {
        entries.reversed().lazy.compactMap {
            if case .alarmDeleted(id, let label) = $0.fact { label } else { nil }
        }.first
    }
}

extension Entry {
    fileprivate var isEvent: Bool {
        switch fact {
        case .stopRefused, .scanRefused, .checkFailed, .noted, .lockedOut, .audioStarted(_, _, _?), .audioFailed,
            .lockBegan,
            .alarmDeleted, .ended(_, .emergency, _, _, _):
            true
        // A snapshot repeats the last step back at another time.
        case .clockStepped(_, let to): to == millisecondsSince1970
        default: false
        }
    }

    /// Orders events by time. A deletion precedes the other events of its time.
    fileprivate func isAtOrBefore(_ other: Entry) -> Bool {
        guard millisecondsSince1970 == other.millisecondsSince1970 else {
            return millisecondsSince1970 < other.millisecondsSince1970
        }
        return isDeletion || !other.isDeletion
    }

    private var isDeletion: Bool { if case .alarmDeleted = fact { true } else { false } }
}
