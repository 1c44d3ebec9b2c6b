// The requests about alarms.

import Alarms
import CivilTime

private let alarmField = ["alarm": "the alarm's id"]
private let timeFields = [
    "delaySeconds": "rings once, this many seconds from now; sets `time` and `date`",
    "daysAhead": "rings once, this many days from today in the alarm's zone; sets `date`",
]

/// A time relative to now. The device resolves it by its own clock, in the zone of the alarm.
package struct RelativeTime: Hashable, Sendable {
    package var delaySeconds: Int?
    package var daysAhead: Int?

    package init(delaySeconds: Int? = nil, daysAhead: Int? = nil) {
        (self.delaySeconds, self.daysAhead) = (delaySeconds, daysAhead)
    }
}

package struct ListAlarms: Request {
    package struct Response: Codable, Sendable {
        package let alarms: [AlarmReport]

        package init(alarms: [AlarmReport]) { self.alarms = alarms }
    }

    package init() {}

    package static let spec = RequestSpec(
        "alarms", .get, "/alarms", changes: false, may: .look, "Returns all alarms, in the order of their creation")
}

package struct ShowAlarm: Request {
    package struct Response: Codable, Sendable {
        package let alarm: AlarmReport

        package init(alarm: AlarmReport) { self.alarm = alarm }
    }

    package let alarm: String

    package static let spec = RequestSpec(
        "alarm", .get, "/alarms/{alarm}", changes: false, may: .look, "Returns one alarm", fields: alarmField)
}

package struct AddAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: AlarmPatch
    package let delaySeconds: Int?
    package let daysAhead: Int?

    package init(alarm: AlarmPatch, at time: RelativeTime = RelativeTime()) {
        (self.alarm, delaySeconds, daysAhead) = (alarm, time.delaySeconds, time.daysAhead)
    }

    package var time: RelativeTime { RelativeTime(delaySeconds: delaySeconds, daysAhead: daysAhead) }

    package static let spec = RequestSpec(
        "add", .post, "/alarms", changes: true, may: .change, "Adds an alarm",
        fields: timeFields.merging([
            "alarm":
                "the alarm, as in alarms files; default of `id`: a new one; of `ring`, `snooze` and `challenges`: those of the settings"
        ]) { $1 })
}

package struct SaveAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String
    package let content: AlarmPatch

    package init(alarm: String, content: AlarmPatch) { (self.alarm, self.content) = (alarm, content) }

    package static let spec = RequestSpec(
        "save", .put, "/alarms/{alarm}", changes: true, may: .change,
        "Replaces an alarm, or adds it if there is none with this id",
        fields: ["alarm": "the alarm's id", "content": "the alarm, as in alarms files"], if: [.ifRevision])
}

package struct EditAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String
    package let changes: AlarmPatch
    package let delaySeconds: Int?
    package let daysAhead: Int?

    package init(alarm: String, changes: AlarmPatch, at time: RelativeTime = RelativeTime()) {
        (self.alarm, self.changes, delaySeconds, daysAhead) = (alarm, changes, time.delaySeconds, time.daysAhead)
    }

    package var time: RelativeTime { RelativeTime(delaySeconds: delaySeconds, daysAhead: daysAhead) }

    package static let spec = RequestSpec(
        "edit", .patch, "/alarms/{alarm}", changes: true, may: .change, "Changes the given members of an alarm",
        fields: timeFields.merging(["alarm": "the alarm's id", "changes": "the members to change, as in alarms files"])
        { $1 },
        if: [.ifRevision])
}

package struct EnableAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String
    package let on: Bool

    package init(alarm: String, on: Bool) { (self.alarm, self.on) = (alarm, on) }

    package static let spec = RequestSpec(
        "enable", .post, "/alarms/{alarm}/enable", changes: true, may: .change, "Switches an alarm on or off",
        fields: ["alarm": "the alarm's id", "on": "true switches it on, false off"], if: [.ifRevision])
}

package struct DeleteAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let spec = RequestSpec(
        "delete", .delete, "/alarms/{alarm}", changes: true, may: .change, "Deletes an alarm", fields: alarmField,
        if: [.ifRevision])
}

package struct SkipRing: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String
    package let date: CivilDate?

    package init(alarm: String, date: CivilDate? = nil) { (self.alarm, self.date) = (alarm, date) }

    package static let spec = RequestSpec(
        "skip", .post, "/alarms/{alarm}/skip", changes: true, may: .use, "Skips one date of an alarm",
        fields: ["alarm": "the alarm's id", "date": "the date to skip; default: the date of the next ring"],
        if: [.ifRing, .ifRevision])
}

package struct UnskipRings: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let spec = RequestSpec(
        "unskip", .post, "/alarms/{alarm}/unskip", changes: true, may: .use, "Cancels all skips of an alarm",
        fields: alarmField, if: [.ifRevision])
}

package struct PauseAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String
    package let dates: [String]?

    package init(alarm: String, dates: [String]) { (self.alarm, self.dates) = (alarm, dates) }

    package static let spec = RequestSpec(
        "pause", .post, "/alarms/{alarm}/pause", changes: true, may: .change, "Pauses an alarm on some dates",
        fields: [
            "alarm": "the alarm's id",
            "dates": "dates, or ranges such as 2026-02-01/2026-02-08; an empty list ends the pause",
        ], if: [.ifRevision])
}

package struct PostponeRing: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String
    package let seconds: Int?
    package let days: Int?

    package init(alarm: String, seconds: Int?, days: Int?) {
        (self.alarm, self.seconds, self.days) = (alarm, seconds, days)
    }

    package static let spec = RequestSpec(
        "postpone", .post, "/alarms/{alarm}/postpone", changes: true, may: .use,
        "Puts off the ring of an alarm that is in progress, or else its next one",
        fields: [
            "alarm": "the alarm's id",
            "seconds": "rings this many seconds after its time or after now, whichever is later; 60 to 2678400",
            "days": "rings at the same local time this many days later, 1 to 31; give either `seconds` or `days`",
        ],
        if: [.ifRing, .ifRevision])
}

package struct MarkDone: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let spec = RequestSpec(
        "done", .post, "/alarms/{alarm}/done", changes: true, may: .use,
        "Marks a ring as done: the one in progress, or the last, or the next if the last is done and further away",
        fields: alarmField, if: [.ifRing, .ifRevision])
}

package struct PlanRings: Request {
    package struct Response: Codable, Sendable {
        package let rings: [RingReport]
        /// The dates on which alarms do not ring, and why.
        package let leftOut: [LeftOutReport]

        package init(rings: [RingReport], leftOut: [LeftOutReport]) { (self.rings, self.leftOut) = (rings, leftOut) }
    }

    package let until: Timestamp
    package let from: Timestamp?

    package init(until: Timestamp, from: Timestamp? = nil) { (self.until, self.from) = (until, from) }

    package static let spec = RequestSpec(
        "plan", .get, "/plan", changes: false, may: .look,
        "Returns the rings of all alarms in [from, until), and the days that they leave out, in order, at most 1000 each",
        fields: ["until": "the end", "from": "the beginning; default: now"])
}

package struct ValidateAlarm: Request {
    package typealias Response = AlarmOutcome

    package let alarm: String?
    package let changes: AlarmPatch
    package let delaySeconds: Int?
    package let daysAhead: Int?

    package var time: RelativeTime { RelativeTime(delaySeconds: delaySeconds, daysAhead: daysAhead) }

    package static let spec = RequestSpec(
        "validate", .post, "/validate", changes: false, may: .look,
        "Returns the response that adding or editing an alarm would have. Changes nothing",
        fields: timeFields.merging([
            "alarm": "the id of the alarm to edit; default: none, for a new alarm",
            "changes": "the members of the alarm, as in alarms files",
        ]) { $1 }, if: [.ifRevision])
}
