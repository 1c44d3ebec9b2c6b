// The text of bedtimes, in an option and for people.

import API
import Alarms
import CivilTime
import JSON
import Text

enum BedtimeText {
    static let expected = "a time such as 22:30, none, or times by weekday such as 22:30,fri=23:30,sat=off"

    /// Parses `22:30`, `none` or `22:30,fri,sat=off` into the changes of each weekday. A text without
    /// weekdays is for all of them.
    static func read(_ text: String) -> JSON? {
        var rules: [Weekday: JSON] = [:]
        var days: [Weekday] = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if sides.count == 1, rules.isEmpty, days.isEmpty, let rule = rule(sides[0]) {
                for day in Weekday.allCases { rules[day] = rule }
                continue
            }
            guard let named = WhenWords.weekdays(sides[0])?.days else { return nil }
            days += named
            guard sides.count == 2 else { continue }
            guard let rule = rule(sides[1]) else { return nil }
            for day in days { rules[day] = rule }
            days = []
        }
        guard days.isEmpty, !rules.isEmpty else { return nil }
        return .object(Weekday.allCases.compactMap { day in rules[day].map { .init(day.shortName, $0) } })
    }

    /// Returns the change of one weekday. No bedtime is the absence of the member.
    private static func rule(_ text: String) -> JSON? {
        ["none", "off"].contains(text) ? .null : WhenWords.time(text).map { .text($0) }
    }

    /// "22:30, Fri and Sat 23:30", or "none".
    static func text(_ settings: Settings) -> String {
        let times = Dictionary(grouping: Weekday.allCases) { settings.bedtime[$0]?.time }
        let parts = times.compactMap { time, days in time.map { (time: $0, days: days) } }
            .sorted { ($1.days.count, $0.days[0].rawValue) < ($0.days.count, $1.days[0].rawValue) }
            .map { "\(WeekdaySet($0.days).summary) \(settings.hourFormat.text($0.time))" }
        guard !parts.isEmpty else { return "none" }
        return parts.joined(separator: ", ") + (settings.bedtimeChime == true ? ", with a chime" : "")
    }

    /// "In bed since Mon 2026-01-12 22:41; next bedtime today 22:30". They are mostly of two evenings.
    static func text(_ bedtime: BedtimeReport, _ clock: DeviceClock) -> String {
        let parts = [
            bedtime.inBed.map { "in bed since \(clock.minute($0.instant))" },
            bedtime.nextLocal.map { "next bedtime \(clock.day($0.dateTime))" },
        ]
        return parts.compactMap(\.self).joined(separator: "; ").capitalisedFirst
    }
}
