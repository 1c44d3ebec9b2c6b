// `rooster list`: all alarms, and when each rings next.

import API
import Alarms
import CivilTime
import Text

enum ListCommand {
    static let command = Subcommand.ofService(
        "list", "all alarms, and when each rings next",
        help: """
            Usage: rooster list [--json]

            Lists all alarms in the order in which they were made: the beginning of the id, label, time, days, and when
            each rings next.

              --json   one JSON object a line: alarm (as in the alarms file), next (at, local, alarm, label, layer; or
                       null), days (in words), locked
            """,
        run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let alarms = try call.service.alarms()
        guard !call.isJSON else { return alarms.forEach { print($0.report.line) } }
        let status = try call.service.status()
        guard !alarms.isEmpty else { return print("There is no alarm yet: 'rooster add 7:00 weekdays' sets one.") }
        call.show(AlarmTable.of(alarms, Outlook(status)))
        if !status.enabled { call.warn([StatusLines.allOff]) }
    }
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
                Table.Cell(alarm.time.map { "\($0)" } ?? "–", isOn ? .bold : .dim),
                Table.Cell(days(listed.alarm, listed.days)),
                Table.Cell(outlook.words(listed), isFirst ? .green : .dim),
            ]
        }
        return Table(rows: rows, elastic: 1)
    }

    /// Returns the days, with the exceptions, the calendar and the zone. The words for the days are those of
    /// the service if it sent any.
    static func days(_ alarm: Alarm, _ said: String) -> String {
        var words = (said.isEmpty ? alarm.daysInWords : said).inOneLine
        if alarm.time != nil { words += exceptions(alarm) }
        if let calendar = alarm.calendarName { words += " (\(calendar.inOneLine))" }
        if let zone = alarm.zoneName { words += ", \(zone.inOneLine)" }
        return words
    }

    /// Returns the days on which the alarm rings at other times, or not at all.
    private static func exceptions(_ alarm: Alarm) -> String {
        var days = WeekdaySet(alarm.weekly.keys).days.map { WeekdaySet([$0]).words }
        if !alarm.dates.isEmpty { days.append(alarm.dates.count == 1 ? "1 date" : "\(alarm.dates.count) dates") }
        return days.isEmpty ? "" : ", otherwise on \(days.joined(separator: ", "))"
    }
}
