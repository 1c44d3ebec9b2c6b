// The alarms, as their owner last had them.

import Alarms
import CivilTime

/// An alarm as it was saved.
final class KeptAlarm: Sendable {
    let alarm: Alarm
    /// From then on it rings.
    let since: Instant
    /// Its place among all alarms that were ever made.
    let place: Int

    init(_ alarm: Alarm, since: Instant, place: Int) {
        self.alarm = alarm
        self.since = since
        self.place = place
    }
}

/// All alarms by their ids.
struct AlarmBook: Sendable {
    private var kept: [Alarm.ID: KeptAlarm] = [:]
    private var handled: [Alarm.ID: HandledRings] = [:]
    private var placesGiven = 0

    var count: Int { kept.count }

    /// In the order in which they were made. It takes a while where there are many.
    var all: [KeptAlarm] { kept.values.sorted { $0.place < $1.place } }

    subscript(id: Alarm.ID) -> KeptAlarm? { kept[id] }

    func handled(_ id: Alarm.ID) -> HandledRings { handled[id] ?? HandledRings() }

    mutating func save(_ alarm: Alarm, since: Instant) {
        if kept[alarm.id] == nil { placesGiven += 1 }
        kept[alarm.id] = KeptAlarm(alarm, since: since, place: kept[alarm.id]?.place ?? placesGiven)
    }

    mutating func delete(_ id: Alarm.ID) {
        kept[id] = nil
        handled[id] = nil
    }

    /// Notes that occurrences have had their turn.
    mutating func handle(_ id: Alarm.ID, _ run: ClosedRange<Instant>) {
        guard kept[id] != nil else { return }
        handled[id, default: HandledRings()].add(run)
    }

    /// What was saved by a clock that was ahead counts from `instant`, when it was set right.
    mutating func pullBack(to instant: Instant) {
        for (id, old) in kept where old.since > instant {
            kept[id] = KeptAlarm(old.alarm, since: instant, place: old.place)
        }
    }

    /// Switches off what was saved at `version`, unless its owner has saved it anew since.
    mutating func switchOff(_ id: Alarm.ID, version: Instant) {
        guard let old = kept[id], old.since == version, old.alarm.isEnabled else { return }
        var alarm = old.alarm
        alarm.isEnabled = false
        kept[id] = KeptAlarm(alarm, since: version, place: old.place)
    }
}
