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

    /// An alarm is as its owner wants it. Of the same revision, a ring, a move or a switching-off since it was asked for stands.
    mutating func save(_ alarm: Alarm, _ position: PlanPosition) {
        newestRevision = max(newestRevision, position.revision)
        guard let old = entries[alarm.id] else { return insert(alarm, position, rung: []) }
        guard old.position.revision == position.revision else {
            entries[alarm.id] = AlarmEntry(alarm, position, rung: old.rung, place: old.place)
            return
        }
        entries[alarm.id] = old.with { saved, at in
            saved = alarm
            saved.isEnabled = alarm.isEnabled && old.alarm.isEnabled
            at.cursor = max(at.cursor, position.cursor)
        }
    }

    /// An alarm as it stood when the journal was compacted.
    mutating func insert(_ alarm: Alarm, _ position: PlanPosition, rung: [Instant]) {
        newestRevision = max(newestRevision, position.revision)
        placesGiven += 1
        entries[alarm.id] = AlarmEntry(alarm, position, rung: rung, place: placesGiven)
    }

    mutating func delete(_ id: Alarm.ID) { entries[id] = nil }

    /// A row of the table of cursors has moved an alarm in its plan, unless its *when* was changed since.
    mutating func move(_ id: Alarm.ID, to position: PlanPosition) {
        change(id, revision: position.revision) { $1 = position }
    }

    /// An occurrence rings.
    mutating func ring(_ occurrence: Occurrence, revision: Int?) {
        guard let old = entries[occurrence.alarm] else { return }
        let rung = old.rung.filter { $0 != occurrence.at } + [occurrence.at]
        entries[occurrence.alarm] = old.with(rung: rung) { if $1.revision == revision { $1.pass(occurrence.at) } }
    }

    /// Occurrences were missed.
    mutating func miss(_ missed: MissedRings) {
        change(missed.occurrence.alarm, revision: missed.revision) { alarm, position in
            position.pass(missed.occurrence.at)
            if missed.switchesOff { alarm.isEnabled = false }
        }
    }

    /// A one-time alarm is switched off after its last ring, unless its *when* was changed meanwhile.
    mutating func switchOff(_ id: Alarm.ID, revision: Int) {
        change(id, revision: revision) { alarm, _ in alarm.isEnabled = false }
    }

    /// The clock was set back. `misses` were told by the clock that was ahead, and are taken back.
    mutating func setBack(by step: Clock.Step, takingBack misses: [MissedRings]) {
        let forgetsRings = step.from - step.to > AlarmBook.setBackMillisecondsMax
        for (id, old) in entries {
            let rung = forgetsRings ? old.rung.filter { $0 <= step.instant } : old.rung
            entries[id] = old.with(rung: rung) { $1.cursor = min($1.cursor, step.instant) }
        }
        for missed in misses {
            change(missed.occurrence.alarm, revision: missed.revision) { alarm, position in
                position.cursor = min(position.cursor, missed.first.advanced(by: -1))
                if position.anchor?.turn == missed.occurrence.at { position.anchor?.turn = nil }
                if missed.switchesOff { alarm.isEnabled = true }
            }
        }
    }

    /// Set back by more than this, the clock comes to another day's rings.
    private static let setBackMillisecondsMax = 3 * 3_600_000

    /// The time is known: no cursor is provisional any more.
    mutating func trust() {
        for (id, old) in entries where old.position.isProvisional {
            entries[id] = old.with { $1.isProvisional = false }
        }
    }

    private mutating func change(
        _ id: Alarm.ID, revision: Int, _ change: (inout Alarm, inout PlanPosition) -> Void
    ) {
        if let old = entries[id], old.position.revision == revision { entries[id] = old.with(change) }
    }
}
