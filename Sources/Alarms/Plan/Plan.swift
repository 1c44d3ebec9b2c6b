// All rings of all alarms, in order.

import CivilTime
import Text

/// The schedules of all enabled alarms, from which their rings are computed.
public struct Plan: Sendable {
    /// One for each enabled alarm, in the order of the file.
    package let schedules: [Schedule]
    /// Missing zones and calendars. Their alarms still ring: in the device's zone, and on all days.
    package let problems: [Problem]

    /// Plans the alarms of a file. An alarm without an anchor is planned as if saved just before `from`. The
    /// file's zone takes precedence over `deviceZone`.
    package init(_ file: AlarmsFile, deviceZone: Zone, zones: inout ZoneCatalogue, from: Instant) {
        var problems: [Problem] = []
        func zone(_ name: String?, else fallback: Zone, at path: @autoclosure () -> String) -> Zone {
            guard let name else { return fallback }
            do {
                return try zones.zone(named: name)
            } catch {
                problems.append(
                    Problem(.noZone, path(), "\(error), so the alarm rings by the time of \(fallback.name)"))
                return fallback
            }
        }
        let defaultZone = zone(file.settings.zoneName, else: deviceZone, at: "settings.zone")
        var schedules: [Schedule] = []
        if file.settings.isEnabled {
            schedules.reserveCapacity(file.alarms.count)
            for alarm in file.alarms where alarm.isEnabled {
                let zone = zone(alarm.zoneName, else: defaultZone, at: "\(alarm.id.inOneLine).zone")
                let calendar = alarm.calendarName.flatMap { file.calendars[$0] }
                if let name = alarm.calendarName, calendar == nil {
                    problems.append(
                        Problem(
                            .noCalendar, "\(alarm.id.inOneLine).days",
                            "there is no calendar \(name.quoted), so the alarm rings on all days"))
                }
                let anchor =
                    alarm.anchor.map { Anchor($0) }
                    ?? Schedule.anchor(of: alarm, in: zone, calendar: calendar, after: from.advanced(by: -1))
                schedules.append(Schedule(alarm, in: zone, calendar: calendar, anchor: anchor))
            }
        }
        self.schedules = schedules
        self.problems = problems
    }

    /// Returns the first ring strictly after `instant`. If several alarms ring at once, the first alarm
    /// comes first.
    package func next(after instant: Instant) -> PlannedRing? {
        var first: PlannedRing?
        for schedule in schedules {
            guard let ring = schedule.next(after: instant) else { continue }
            if first.map({ ring.occurrence.at < $0.occurrence.at }) ?? true { first = ring }
        }
        return first
    }

    /// Returns every ring from `from` on and before `until`, sorted by instant and then by alarm.
    package func rings(from: Instant, until: Instant) -> RingsInOrder {
        RingsInOrder(schedules, from: from, until: until)
    }
}
