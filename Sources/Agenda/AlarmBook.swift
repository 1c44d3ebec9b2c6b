// The alarm book: every alarm with its position in its plan.

import Alarms
import CivilTime

/// An alarm with its position. Its next ring is the first after the cursor that is not in `rung`.
package final class AlarmEntry: Sendable {
    package let alarm: Alarm
    package let position: ScheduleState
    /// The last rings. They do not ring again if the clock is set back and reaches them once more.
    package let rung: [Instant]
    /// The last notices that were given, one for each ring.
    package let given: [GivenNotice]
    /// The ring that its owner has put off; nil if there is none.
    package let postponed: PostponedRing?
    /// The alarm's place in the order of creation.
    package let place: Int

    /// The bound on `rung`. If the clock is set back past more rings than this, the oldest ring a second
    /// time.
    private static let rungMax = 16

    init(
        _ alarm: Alarm, _ position: ScheduleState, rung: [Instant] = [], given: [GivenNotice] = [],
        postponed: PostponedRing? = nil, place: Int
    ) {
        self.alarm = alarm
        self.position = position
        self.rung = rung.suffix(AlarmEntry.rungMax)
        self.postponed = postponed
        self.given = given.suffix(GivenNotice.perAlarm)
        self.place = place
    }

    package var id: Alarm.ID { alarm.id }

    package func with(
        rung: [Instant]? = nil, given: [GivenNotice]? = nil, postponed: PostponedRing?? = nil,
        _ change: (inout Alarm, inout ScheduleState) -> Void = { _, _ in }
    ) -> AlarmEntry {
        var (alarm, position) = (alarm, position)
        change(&alarm, &position)
        return AlarmEntry(
            alarm, position, rung: rung ?? self.rung, given: given ?? self.given,
            postponed: postponed ?? self.postponed, place: place)
    }

    /// The last rings, for a new schedule: it ends a postponement, so a ring that was put off is wanted again.
    package var rungForNewSchedule: [Instant] { rung.filter { $0 != postponed?.ring } }

    /// True if the owner has left out the anchor's day. That alone does not fix the anchor again.
    var excludesAnchorDate: Bool {
        guard let date = position.anchor?.date else { return false }
        return alarm.skipped.contains(date) || alarm.paused.contains(date) || alarm.dates[date] == .off
    }

    package var shown: Alarm { alarm.showingAnchor(of: position) }
}

extension Alarm {
    package func showingAnchor(of position: ScheduleState) -> Alarm {
        guard let anchor = position.anchor, anchor.source != .owner else { return self }
        var shown = self
        shown.anchor = anchor.date
        return shown
    }
}

/// All alarms. Its methods apply what has happened to an alarm.
package struct AlarmBook: Sendable {
    private var entries: [Alarm.ID: AlarmEntry] = [:]
    private var placesGiven = 0
    /// The newest revision. The next one is higher, also for an alarm that was deleted and made again.
    package private(set) var newestRevision = 0

    package var count: Int { entries.count }

    /// All entries in the order of creation. Sorting takes a while if there are many.
    package var all: [AlarmEntry] { entries.values.sorted { $0.place < $1.place } }

    package subscript(id: Alarm.ID) -> AlarmEntry? { entries[id] }

    /// Saves an alarm. If its revision is unchanged, a ring, move or switching-off since the request stays.
    package mutating func save(_ alarm: Alarm, _ position: ScheduleState) {
        newestRevision = max(newestRevision, position.revision)
        guard let old = entries[alarm.id] else { return insert(alarm, position, rung: []) }
        guard old.position.revision == position.revision else {
            entries[alarm.id] = old.with(rung: old.rungForNewSchedule, postponed: .some(nil)) {
                ($0, $1) = (alarm, position)
            }
            return
        }
        entries[alarm.id] = old.with { saved, at in
            saved = alarm
            saved.isEnabled = alarm.isEnabled && old.alarm.isEnabled
            at.cursor = max(at.cursor, position.cursor)
        }
    }

    /// Inserts an alarm from the snapshot of a compacted journal.
    package mutating func insert(_ alarm: Alarm, _ position: ScheduleState, rung: [Instant]) {
        newestRevision = max(newestRevision, position.revision)
        placesGiven += 1
        entries[alarm.id] = AlarmEntry(alarm, position, rung: rung, place: placesGiven)
    }

    package mutating func delete(_ id: Alarm.ID) { entries[id] = nil }

    /// Moves an alarm in its plan by a row of Cursors.swift, unless its schedule was changed since.
    package mutating func move(_ id: Alarm.ID, to position: ScheduleState) {
        change(id, revision: position.revision) { $1 = position }
    }

    package mutating func ring(_ occurrence: Occurrence, revision: Int?) {
        guard let old = entries[occurrence.alarm] else { return }
        let rung = old.rung.filter { $0 != occurrence.at } + [occurrence.at]
        entries[occurrence.alarm] = old.with(rung: rung) { if $1.revision == revision { $1.pass(occurrence.at) } }
        forgetPostponed(occurrence)
    }

    package mutating func miss(_ missed: MissedRings) {
        change(missed.occurrence.alarm, revision: missed.revision) { alarm, position in
            position.pass(missed.occurrence.at)
            if missed.switchesOff { alarm.isEnabled = false }
        }
        forgetPostponed(missed.occurrence)
    }

    /// Switches off a one-time alarm after its last ring, unless its schedule was changed meanwhile.
    package mutating func switchOff(_ id: Alarm.ID, revision: Int) {
        change(id, revision: revision) { alarm, _ in alarm.isEnabled = false }
    }

    /// Applies a step back of the clock. `misses` were recorded by the clock that was ahead, and are undone.
    mutating func setBack(by step: Clock.Step, takingBack misses: [MissedRings]) {
        let forgetsRings = step.from - step.to > AlarmBook.setBackMillisecondsMax
        for (id, old) in entries {
            let rung =
                forgetsRings ? old.rung.filter { $0 <= step.instant || $0 == old.postponed?.ring } : old.rung
            entries[id] = old.with(rung: rung) { $1.cursor = min($1.cursor, step.instant) }
        }
        for missed in misses {
            change(missed.occurrence.alarm, revision: missed.revision) { alarm, position in
                position.cursor = min(position.cursor, missed.first.advanced(by: -1))
                if position.anchor?.handledAt == missed.occurrence.at { position.anchor?.handledAt = nil }
                if missed.switchesOff { alarm.isEnabled = true }
            }
            if let postponed = missed.postponed, self[missed.occurrence.alarm]?.position.revision == missed.revision {
                change(missed.occurrence.alarm) { $0.with(postponed: .some(postponed)) }
            }
        }
    }

    /// If a clock is set back by more than this, it reaches the rings of another day, which ring again.
    static let setBackMillisecondsMax = 3 * 3_600_000

    /// Confirms all cursors: the clock is trusted.
    package mutating func trust() {
        for (id, old) in entries where old.position.isProvisional {
            entries[id] = old.with { $1.isProvisional = false }
        }
    }

    mutating func change(_ id: Alarm.ID, _ change: (AlarmEntry) -> AlarmEntry) {
        if let old = entries[id] { entries[id] = change(old) }
    }

    private mutating func change(
        _ id: Alarm.ID, revision: Int, _ change: (inout Alarm, inout ScheduleState) -> Void
    ) {
        if let old = entries[id], old.position.revision == revision { entries[id] = old.with(change) }
    }
}
