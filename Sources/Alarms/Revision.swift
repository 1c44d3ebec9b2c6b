// Revisions of alarms and settings: a client may say which revision its change is based on.

import JSON
import Text

extension Alarm {
    /// Another one as soon as its owner, or a ring, changes anything of it. The day that Rooster fixed is no part of it.
    package var revision: String {
        var alarm = self
        alarm.anchor = nil
        return alarm.json.revision
    }
}

extension Settings {
    /// Another one as soon as anything of them is changed.
    package var revision: String { json.revision }
}

extension DayCalendar {
    /// Another one as soon as anything of it is changed.
    package var revision: String { json.revision }
}

extension JSON {
    fileprivate var revision: String { String(FNV1a(utf8).value, radix: 16) }
}
