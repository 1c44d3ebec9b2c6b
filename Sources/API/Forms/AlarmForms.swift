// What can be asked about alarms.

import Alarms
import CivilTime
import JSON

private let alarmField = ["alarm": "the alarm's id"]

package struct ListAlarms: Form {
    package struct Answer: Codable, Sendable {
        package var alarms: [AlarmReport]

        package init(alarms: [AlarmReport]) { self.alarms = alarms }
    }

    package init() {}

    package static let row = FormRow("alarms", .get, "/alarms", "all alarms, in the order in which they were made")
}

package struct ShowAlarm: Form {
    package struct Answer: Codable, Sendable {
        package var alarm: AlarmReport

        package init(alarm: AlarmReport) { self.alarm = alarm }
    }

    package var alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let row = FormRow("alarm", .get, "/alarms/{alarm}", "one alarm", fields: alarmField)
}

package struct SaveAlarm: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: JSON

    package init(alarm: JSON) { self.alarm = alarm }

    package static let row = FormRow(
        "save", .post, "/alarms", "an alarm is to be as it is here, whether or not it is there already",
        fields: ["alarm": "as alarms files have it; without an id it is a new one"], if: [.basedOn])
}

package struct EditAlarm: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String
    package var changes: JSON

    package init(alarm: String, changes: JSON) { (self.alarm, self.changes) = (alarm, changes) }

    package static let row = FormRow(
        "edit", .patch, "/alarms/{alarm}", "some members of an alarm are to be as they are here",
        fields: ["alarm": "the alarm's id", "changes": "the members, as alarms files have them"], if: [.basedOn])
}

package struct EnableAlarm: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String
    package var on: Bool

    package init(alarm: String, on: Bool) { (self.alarm, self.on) = (alarm, on) }

    package static let row = FormRow(
        "enable", .post, "/alarms/{alarm}/enable", "an alarm is to be on or off",
        fields: ["alarm": "the alarm's id", "on": "whether it is to ring"], if: [.basedOn])
}

package struct DeleteAlarm: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let row = FormRow(
        "delete", .delete, "/alarms/{alarm}", "an alarm is to be gone", fields: alarmField, if: [.basedOn])
}

package struct SkipRing: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String
    package var date: CivilDate?

    package init(alarm: String, date: CivilDate? = nil) { (self.alarm, self.date) = (alarm, date) }

    package static let row = FormRow(
        "skip", .post, "/alarms/{alarm}/skip", "an alarm is not to ring on one date",
        fields: ["alarm": "the alarm's id", "date": "which; that of its next ring where none is named"],
        if: [.meant, .basedOn])
}

package struct UnskipRings: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let row = FormRow(
        "unskip", .post, "/alarms/{alarm}/unskip", "an alarm is to ring on the dates that were skipped",
        fields: alarmField, if: [.basedOn])
}

package struct PauseAlarm: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String
    package var dates: [String]?

    package init(alarm: String, dates: [String]) { (self.alarm, self.dates) = (alarm, dates) }

    package static let row = FormRow(
        "pause", .post, "/alarms/{alarm}/pause", "an alarm is not to ring on some dates",
        fields: [
            "alarm": "the alarm's id", "dates": "dates, or ranges such as 2026-02-01/2026-02-08; none for no pause",
        ], if: [.basedOn])
}

package struct PlanRings: Form {
    package struct Answer: Codable, Sendable {
        package var rings: [RingReport]

        package init(rings: [RingReport]) { self.rings = rings }
    }

    package var until: Timestamp
    package var from: Timestamp?

    package init(until: Timestamp, from: Timestamp? = nil) { (self.until, self.from) = (until, from) }

    package static let row = FormRow(
        "plan", .get, "/plan", "every ring of all alarms in [from, until), in order: 1000 at the most",
        fields: ["until": "when it ends", "from": "when it begins: now where nothing is said"])
}

package struct JudgeAlarm: Form {
    package typealias Answer = AlarmOutcome

    package var alarm: String?
    package var changes: JSON

    package init(alarm: String? = nil, changes: JSON) { (self.alarm, self.changes) = (alarm, changes) }

    package static let row = FormRow(
        "judge", .get, "/judge", "what saving an alarm would come to, or editing one: nothing is kept",
        fields: [
            "alarm": "the id of the alarm that is edited; a new one where none is named",
            "changes": "its members, as alarms files have them",
        ], if: [.basedOn])
}
