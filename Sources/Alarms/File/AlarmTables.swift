// The members of alarms, settings and day calendars in files, requests and the journal.

import CivilTime
import JSON
import Text

package typealias AlarmPatch = Patch<Alarm>
package typealias SettingsPatch = Patch<Settings>

extension Alarm: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("id", &id)
        table.member("label", &label)
        label = label.withoutBlankEnds
        table.member("enabled", &isEnabled)
        table.member("time", &time)
        table.member("date", &date)
        table.member("start", &start)
        table.member("repeat", &recurrence)
        table.member("zone", &zoneName)
        table.member("days", &calendarName)
        table.member("weekly", &weekly)
        table.member("dates", &dates)
        table.member("anchor", &anchor, isOmitted: anchor == nil)
        table.member("skip", &skipped, isOmitted: skipped.isEmpty)
        table.member("pause", &paused, isOmitted: paused.isEmpty)
        table.member("ring", &ring)
        table.member("escalate", &escalation, isOmitted: escalation == nil)
        table.member("snooze", &snooze)
        table.member("challenges", &challenges)
        table.member("check", &wakeUpCheck, isOmitted: wakeUpCheck == nil)
        table.member("late", &lateWindowSeconds)
        table.member("postpone", &allowsPostponing, isOmitted: !allowsPostponing)
        table.member("early", &earlySeconds, isOmitted: earlySeconds == 0)
        table.member("light", &lightSeconds, isOmitted: lightSeconds == 0)
        table.member("notices", &notices, isOmitted: notices.isEmpty)
        table.member("note", &note)
        table.member("category", &category)
    }

    package init() { self.init(id: "") }
}

extension RingSettings: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("sound", &sound)
        table.member("volume", &volume)
        table.member("ramp", &rampSeconds)
        table.member("for", &ringSeconds)
        table.member("rounds", &rounds, isOmitted: rounds == RingSettings.roundsDefault)
        table.member("rest", &restSeconds, isOmitted: restSeconds == RingSettings.restSecondsDefault)
        table.member("shake", &shake, isOmitted: shake == nil)
    }
}

extension SnoozeSettings: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("seconds", &seconds)
        table.member("max", &max)
    }
}

extension Settings: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("zone", &zoneName)
        table.member("enabled", &isEnabled)
        table.seconds("lock", &lockSeconds, within: 0...86_400)
        table.member("snooze", &snooze)
        table.member("preflight", &preflight)
        table.member("emergency", &hasEmergencyExit)
        table.member("bedtime", &bedtime, isOmitted: bedtime.isEmpty)
        table.member("bedtimeChime", &bedtimeChime, isOmitted: bedtimeChime == nil)
        table.member("hours", &hourFormat, isOmitted: hourFormat == .twentyFour)
        table.member("defaults", &defaults, isOmitted: defaults == AlarmDefaults())
        table.member("file", &file, isOmitted: file.unknown.isEmpty)
    }
}

extension SnoozeLimits: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.seconds("min", &minSeconds, within: 1...86_400)
        table.seconds("max", &maxSeconds, within: 1...86_400)
    }
}

extension DayCalendar: TableCoded {
    package mutating func visit(_ table: inout MemberTable) {
        table.member("weekdays", &weekdays)
        table.member("from", &from)
        table.member("until", &until)
        if let from, let until, until < from { table.note("until", "must be \(from) or later, not \(until)") }
        table.member("off", &off)
        table.member("on", &on)
    }

    package init() { self.init(weekdays: .everyDay) }
}

extension MemberTable {
    /// Reads or writes a number of seconds. If it is out of range, the old value stays.
    fileprivate mutating func seconds(_ name: String, _ value: inout Int, within range: ClosedRange<Int>) {
        let (old, rule) = (value, "between \(range.lowerBound) and \(range.upperBound) seconds")
        member(name, &value, schema: .simple(rule, sample: range.lowerBound.json))
        guard !range.contains(value) else { return }
        note(name, "must be \(rule), not \(value)")
        value = old
    }
}
