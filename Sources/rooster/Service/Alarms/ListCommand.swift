// `rooster list`: all alarms, and when each rings next.

import API
import Alarms
import CivilTime
import Text

enum ListCommand {
    static let command = Subcommand.ofService(
        "list", "List the alarms and their next rings",
        help: """
            Usage: rooster list [OPTIONS]

            List all alarms by their next rings: the first letters of the id, label, time,
            days, and the next ring. Alarms without a next ring come last.

            Options:
              --category TEXT only the alarms of this category
              --json          print one JSON object a line: alarm (as in an alarms file),
                              next (at, local, alarm, label, layer; or null), days, locked,
                              unmet, replaced (as in 'show')
            """,
        valued: ["--category"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let all = try call.service.alarms()
        let category = call.arguments.value("--category")
        let alarms = all.filter { category == nil || $0.alarm.category.isLike(category ?? "") }.byNextRing
        guard !alarms.isEmpty || all.isEmpty || call.isJSON else {
            throw .notFound("No alarm has the category \(category?.quoted ?? "")")
        }
        guard !call.isJSON else { return alarms.forEach { print($0.report.line) } }
        let status = try call.service.status()
        guard !alarms.isEmpty else { return print("There is no alarm yet: 'rooster add 7:00 weekdays' adds one") }
        let outlook = Outlook(status, endings: try call.service.endings(of: alarms, status))
        call.show(AlarmTable.of(alarms, outlook))
        if !status.enabled { call.warn([StatusLines.allOff]) }
    }
}

extension [ListedAlarm] {
    /// The alarms in the order of their next rings, then those without one in the order of their creation.
    fileprivate var byNextRing: [ListedAlarm] {
        let order = indices.sorted { a, b in
            switch (self[a].next?.at, self[b].next?.at) {
            case (let first?, let second?): (first, a) < (second, b)
            case (nil, nil): a < b
            case (let first, _): first != nil
            }
        }
        return order.map { self[$0] }
    }
}

extension String {
    /// Returns true if the two are the same to their owner: upper and lower case are.
    func isLike(_ other: String) -> Bool { trimmed.lowercased() == other.trimmed.lowercased() }
}

enum AlarmTable {
    static func of(_ alarms: [ListedAlarm], _ outlook: Outlook) -> Table {
        let isEnabled = outlook.status.enabled
        let ids = AlarmNames(alarms.map(\.alarm)).shortIDs()
        let first = isEnabled ? alarms.compactMap(\.next).min { $0.at < $1.at } : nil
        let rows = zip(alarms, ids).map { listed, id in
            let alarm = listed.alarm
            let isOn = alarm.isEnabled && isEnabled
            let isFirst = first != nil && listed.next == first
            return [
                Table.Cell(id.inOneLine, .dim),
                Table.Cell(alarm.label.isEmpty ? "–" : alarm.label.inOneLine, isOn ? .bold : .dim),
                Table.Cell(alarm.time.map(outlook.clock.hours.text) ?? "–", isOn ? .bold : .dim),
                Table.Cell(days(listed.alarm, listed.days)),
                Table.Cell(outlook.text(listed), isFirst ? .green : .dim),
            ]
        }
        return Table(rows: rows, elastic: 1, wrapsLast: true)
    }

    /// Returns the days, with the exceptions, the calendar and the zone, to follow the time. The words for
    /// the days are those of the service if it sent any.
    static func days(_ alarm: Alarm, _ said: String) -> String {
        var text = (said.isEmpty ? alarm.daysSummary : said).inOneLine.daysAfterTime
        if alarm.time != nil { text += exceptions(alarm) }
        if let calendar = alarm.calendarName { text += " (\(calendar.inOneLine))" }
        if let zone = alarm.zoneName { text += ", \(zone.inOneLine)" }
        return text
    }

    /// Returns the days on which the alarm rings at other times, or not at all.
    private static func exceptions(_ alarm: Alarm) -> String {
        func days(where isMeant: (DayRule) -> Bool) -> String {
            var days = WeekdaySet(alarm.weekly.filter { isMeant($0.value) }.map(\.key)).days.map {
                WeekdaySet([$0]).summary
            }
            let dates = alarm.dates.filter { isMeant($0.value) }.keys
            if let date = dates.first { days.append(dates.count == 1 ? "\(date)" : "\(dates.count) dates") }
            return days.joined(separator: " and ", exceptLast: ", ")
        }
        let (other, off) = (days { $0 != .off }, days { $0 == .off })
        return (other.isEmpty ? "" : ", with other times on \(other)") + (off.isEmpty ? "" : ", not on \(off)")
    }
}

extension String {
    /// The summary of an alarm's days within a line: "every Monday", but "Mon, Fri".
    var daysAfterTime: String {
        let first = prefix { $0.isLetter }
        let isWeekday = Weekday.allCases.contains { WeekdaySet([$0]).summary == first }
        return isWeekday ? self : prefix(1).lowercased() + dropFirst()
    }
}

extension [String] {
    /// Returns a list such as "Mon, Tue and Fri".
    func joined(separator: String, exceptLast comma: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: comma) + separator + last
    }
}
