// All alarms by their ids.

import Alarms
import CivilTime

/// The alarms, as the records have them.
struct AlarmBook: Sendable {
    private var entries: [Alarm.ID: AlarmEntry] = [:]
    private var placesGiven = 0
    /// The newest revision of any alarm: the next one is higher, so an alarm that is deleted and made anew has another.
    private(set) var newestRevision = 0

    var count: Int { entries.count }

    /// In the order in which they were made. It takes a while where there are many.
    var all: [AlarmEntry] { entries.values.sorted { $0.place < $1.place } }

    subscript(id: Alarm.ID) -> AlarmEntry? { entries[id] }

    /// An alarm is as its owner wants it.
    ///
    /// Of the same revision, what happened while that was on its way to the disk stands: the alarm may have rung, moved in its
    /// plan, or been switched off after its last ring.
    mutating func save(_ alarm: Alarm, _ position: PlanPosition) {
        newestRevision = max(newestRevision, position.revision)
        guard let old = entries[alarm.id] else { return insert(alarm, position, rung: []) }
        guard old.position.revision == position.revision else {
            entries[alarm.id] = AlarmEntry(alarm, position, rung: old.rung, place: old.place)
            return
        }
        var (alarm, merged) = (alarm, old.position)
        merged.cursor = max(merged.cursor, position.cursor)
        alarm.isEnabled = alarm.isEnabled && old.alarm.isEnabled
        entries[alarm.id] = AlarmEntry(alarm, merged, rung: old.rung, place: old.place)
    }

    /// An alarm as it stood when the journal was compacted.
    mutating func insert(_ alarm: Alarm, _ position: PlanPosition, rung: [Instant]) {
        newestRevision = max(newestRevision, position.revision)
        placesGiven += 1
        entries[alarm.id] = AlarmEntry(alarm, position, rung: rung, place: placesGiven)
    }

    mutating func delete(_ id: Alarm.ID) {
        entries[id] = nil
    }

    /// A row of the table of cursors has moved an alarm in its plan, unless its *when* was changed since.
    mutating func move(_ id: Alarm.ID, to position: PlanPosition) {
        change(id, revision: position.revision) { $0.at(position) }
    }

    /// An occurrence rings.
    mutating func ring(_ occurrence: Occurrence, revision: Int?) {
        guard let old = entries[occurrence.alarm] else { return }
        var position = old.position
        if revision == position.revision { position.pass(occurrence.at) }
        entries[occurrence.alarm] = old.at(position, rung: old.rung.filter { $0 != occurrence.at } + [occurrence.at])
    }

    /// Occurrences were missed.
    mutating func miss(_ missed: MissedRings) {
        change(missed.occurrence.alarm, revision: missed.revision) { old in
            var position = old.position
            position.pass(missed.occurrence.at)
            return old.at(position).switched(on: old.alarm.isEnabled && !missed.switchesOff)
        }
    }

    /// A one-time alarm is switched off after its last ring, unless its *when* was changed meanwhile.
    mutating func switchOff(_ id: Alarm.ID, revision: Int) {
        change(id, revision: revision) { $0.switched(on: false) }
    }

    /// The clock was set back. `misses` were told by the clock that was ahead, and are taken back.
    mutating func setBack(by step: Clock.Step, takingBack misses: [MissedRings]) {
        let forgetsRings = step.from - step.to > AlarmBook.setBackMillisecondsMax
        for (id, old) in entries {
            var position = old.position
            position.cursor = min(position.cursor, step.instant)
            entries[id] = old.at(position, rung: forgetsRings ? old.rung.filter { $0 <= step.instant } : nil)
        }
        for missed in misses {
            change(missed.occurrence.alarm, revision: missed.revision) { old in
                var position = old.position
                position.cursor = min(position.cursor, missed.first.advanced(by: -1))
                if position.anchor?.turn == missed.occurrence.at { position.anchor?.turn = nil }
                return old.at(position).switched(on: old.alarm.isEnabled || missed.switchesOff)
            }
        }
    }

    /// Set back by more than this, the clock comes to another day's rings.
    private static let setBackMillisecondsMax = 3 * 3_600_000

    /// The time is known: no cursor is provisional any more.
    mutating func trust() {
        for (id, old) in entries where old.position.isProvisional {
            var position = old.position
            position.isProvisional = false
            entries[id] = old.at(position)
        }
    }

    private mutating func change(_ id: Alarm.ID, revision: Int, _ change: (AlarmEntry) -> AlarmEntry) {
        if let old = entries[id], old.position.revision == revision { entries[id] = change(old) }
    }
}
