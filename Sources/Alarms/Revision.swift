// Revisions of alarms, settings and calendars. A request may name the revision on which its change is based.

import JSON
import Text

extension Alarm {
    /// A hash that changes when the owner or a ring changes the alarm. It excludes the anchor, which Rooster
    /// fixes.
    package var revision: String {
        var alarm = self
        alarm.anchor = nil
        return alarm.json.revision
    }
}

extension Settings {
    /// A hash that changes with any setting.
    package var revision: String { json.revision }
}

extension DayCalendar {
    /// A hash that changes with any part of the calendar.
    package var revision: String { json.revision }
}

extension JSON {
    fileprivate var revision: String { String(FNV1a(utf8).value, radix: 16) }
}
