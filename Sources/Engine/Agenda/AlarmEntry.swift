// One alarm with how far it is in its plan.

import Alarms
import CivilTime

/// An alarm as the records have it. Its next ring is the first of its schedule after the cursor that is not in `rung`.
final class AlarmEntry: Sendable {
    let alarm: Alarm
    let position: PlanPosition
    /// The last rings. A clock that is set back comes to them again, and they do not ring again.
    let rung: [Instant]
    /// Its place among all alarms that were ever made.
    let place: Int

    /// A clock that is set back further than past so many rings may ring the oldest of them again.
    private static let rungMax = 16

    init(_ alarm: Alarm, _ position: PlanPosition, rung: [Instant] = [], place: Int) {
        self.alarm = alarm
        self.position = position
        self.rung = rung.suffix(AlarmEntry.rungMax)
        self.place = place
    }

    var id: Alarm.ID { alarm.id }

    func with(rung: [Instant]? = nil, _ change: (inout Alarm, inout PlanPosition) -> Void) -> AlarmEntry {
        var (alarm, position) = (alarm, position)
        change(&alarm, &position)
        return AlarmEntry(alarm, position, rung: rung ?? self.rung, place: place)
    }

    /// Whether its owner has left out the day that it counts from: that day is not fixed anew because of that.
    var leavesAnchorOut: Bool {
        guard let date = position.anchor?.date else { return false }
        return alarm.skipped.contains(date) || alarm.paused.contains(date) || alarm.dates[date] == .off
    }

    /// As its owner is shown it: with the day that Rooster fixed.
    var shown: Alarm {
        guard let anchor = position.anchor, anchor.source != .owner else { return alarm }
        var shown = alarm
        shown.anchor = anchor.date
        return shown
    }
}
