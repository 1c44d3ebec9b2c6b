// One alarm with how far it is in its plan.

import Alarms
import CivilTime

/// How far an alarm is in its plan: what its next ring depends on beside the owner's words.
public struct PlanPosition: Hashable, Sendable {
    /// Names the alarm's *when* as its owner last had it: what was decided about an earlier one does not touch a later one.
    public var revision: Int
    /// What was due at or before this had its turn, or was not wanted.
    public var cursor: Instant
    /// The day that the alarm counts from, where its owner named none.
    public var anchor: Anchor?
    /// Whether the cursor was set by a clock that was not trusted, and the time has not become trusted since.
    public var isProvisional: Bool

    /// A position.
    public init(revision: Int, cursor: Instant, anchor: Anchor? = nil, isProvisional: Bool = false) {
        self.revision = revision
        self.cursor = cursor
        self.anchor = anchor
        self.isProvisional = isProvisional
    }

    /// A ring had its turn.
    mutating func pass(_ instant: Instant) {
        cursor = max(cursor, instant)
        if let anchor, !anchor.hadTurn, anchor.at <= instant { self.anchor?.turn = instant }
    }
}

/// An alarm as the records have it. Its schedule is made of `alarm` and `position.anchor`; its next ring is the first after
/// the cursor that is not in `rung`.
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

    func at(_ position: PlanPosition, rung: [Instant]? = nil) -> AlarmEntry {
        AlarmEntry(alarm, position, rung: rung ?? self.rung, place: place)
    }

    func switched(on isEnabled: Bool) -> AlarmEntry {
        var alarm = alarm
        alarm.isEnabled = isEnabled
        return AlarmEntry(alarm, position, rung: rung, place: place)
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

extension Alarm {
    /// Whether its base rings once, and no weekday has a time of its own: it is switched off after its last ring.
    var isOneTime: Bool { recurrence == nil && time != nil && weekly.values.allSatisfy { $0 == .off } }

    /// Whether both are to ring at the same times by the owner's words, days left out aside.
    func hasWhen(of other: Alarm) -> Bool {
        time == other.time && date == other.date && start == other.start && recurrence == other.recurrence
            && weekly == other.weekly && dates == other.dates && calendarName == other.calendarName
            && zoneName == other.zoneName
    }

    /// Whether both leave out the same days.
    func hasDaysOff(of other: Alarm) -> Bool { skipped == other.skipped && paused == other.paused }
}
