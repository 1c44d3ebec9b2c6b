// All rings of all alarms, in order.

import CivilTime
import Text

/// The rings to come.
public struct Plan: Sendable {
    /// One for each alarm that is on, in the order of the file.
    package let schedules: [Schedule]
    /// Zones and calendars that could not be had. Their alarms ring all the same: in the device's zone, and on all days.
    package let problems: [Problem]

    /// Plans alarms that have no anchor as if made just before `from`. The file's own zone comes before `deviceZone`.
    package init(_ file: AlarmsFile, deviceZone: Zone, zones: inout ZoneCatalogue, from: Instant) {
        var problems: [Problem] = []
        func zone(_ name: String?, else fallback: Zone, at place: @autoclosure () -> String) -> Zone {
            guard let name else { return fallback }
            do {
                return try zones.zone(named: name)
            } catch {
                problems.append(Problem(place(), "\(error); it rings by \(fallback.name) time", .warning))
                return fallback
            }
        }
        let houseZone = zone(file.settings.zoneName, else: deviceZone, at: "settings.zone")
        var schedules: [Schedule] = []
        if file.settings.isEnabled {
            schedules.reserveCapacity(file.alarms.count)
            for alarm in file.alarms where alarm.isEnabled {
                let zone = zone(alarm.zoneName, else: houseZone, at: "\(alarm.id.inOneLine).zone")
                let calendar = alarm.calendarName.flatMap { file.calendars[$0] }
                if let name = alarm.calendarName, calendar == nil {
                    problems.append(
                        Problem(
                            "\(alarm.id.inOneLine).days", "there is no calendar \(name.quoted); it rings on all days",
                            .warning))
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

    /// The first ring strictly after `instant`; of several at once, that of the first alarm.
    package func next(after instant: Instant) -> PlannedRing? {
        var first: PlannedRing?
        for schedule in schedules {
            guard let ring = schedule.next(after: instant) else { continue }
            if first.map({ ring.occurrence.at < $0.occurrence.at }) ?? true { first = ring }
        }
        return first
    }

    /// Every ring from `from` on and before `until`, in order; of several at once, in the order of the alarms.
    package func rings(from: Instant, until: Instant) -> RingsInOrder {
        RingsInOrder(schedules, from: from, until: until)
    }
}
