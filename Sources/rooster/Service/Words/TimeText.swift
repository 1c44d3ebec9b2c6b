// Texts for times, such as "7 h 12 min" and "Mon 07:00".

import API
import Alarms
import CivilTime

enum TimeText {
    /// Returns "45 s", "12 min", "7 h 12 min" or "3 days 4 h".
    static func length(_ seconds: Int) -> String {
        let seconds = max(0, seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
        if seconds < 60 { return "\(seconds) s" }
        // Below five minutes, the text shows seconds.
        if minutes < 5 { return "\(minutes) min\(rest(seconds % 60, "s"))" }
        if hours < 1 { return "\(minutes) min" }
        if hours < 48 { return "\(hours) h\(rest(minutes % 60, "min"))" }
        return "\(days) days\(rest(hours % 24, "h"))"
    }

    private static func rest(_ count: Int, _ unit: String) -> String { count == 0 ? "" : " \(count) \(unit)" }

}

extension CivilDateTime {
    /// Returns "Mon 2026-01-12 07:00", or "… 7:00 am".
    func text(_ hours: HourFormat) -> String {
        "\(WeekdaySet([date.weekday]).summary) \(date) \(hours.text(time))"
    }

    /// Returns "Mon 07:00".
    func weekdayAndTime(_ hours: HourFormat) -> String {
        "\(WeekdaySet([date.weekday]).summary) \(hours.text(time))"
    }
}

/// The clock and the zone of the device.
struct DeviceClock {
    let now: Instant
    let local: CivilDateTime
    /// The form in which the owner wants to read times of day.
    let hours: HourFormat
    /// The zone of the device; nil if this machine does not have it.
    let zone: Zone?

    init(_ device: DeviceReport) {
        (now, local, hours) = (device.now.instant, device.local.dateTime, device.hourFormat)
        zone = DeviceClock.zone(named: device.zone)
    }

    /// Returns nil for an unknown zone. The service sends local times, and refuses an unknown zone with
    /// a better text.
    private static func zone(named name: String) -> Zone? {
        var zones = ZoneCatalogue()
        do {
            return try zones.zone(named: name)
        } catch {
            return nil
        }
    }

    var today: CivilDate { local.date }

    /// Returns the date in another zone, or on the device if this machine does not have that zone.
    func today(in name: String?) -> CivilDate { local(in: name).date }

    /// Returns the local time after this many seconds, in a named zone or else in that of the device.
    func local(in name: String?, afterSeconds seconds: Int = 0) -> CivilDateTime {
        let instant = now.advanced(by: seconds)
        // If this machine has no zone data, the local time that the service sent replaces it.
        return name.flatMap(DeviceClock.zone(named:))?.local(instant) ?? zone?.local(instant) ?? local
    }

    /// Returns true if the alarm's only ring is past.
    func isOver(_ alarm: Alarm) -> Bool {
        guard let time = alarm.time, let date = alarm.onlyDate else { return false }
        return CivilDateTime(date, time) <= local(in: alarm.zoneName)
    }

    /// Returns the local time of the device, or nil if this machine does not have its zone.
    func local(at instant: Instant) -> LocalTime? { zone.map { LocalTime(instant, in: $0) } }

    func local(_ ring: RingReport) -> CivilDateTime { zone?.local(ring.at.instant) ?? ring.local.dateTime }

    /// Returns "today 07:00" or "Mon 07:00", with the date if a weekday alone is ambiguous.
    func day(_ local: CivilDateTime) -> String {
        let days = today.days(until: local.date)
        if days == 0 { return "today \(hours.text(local.time))" }
        return (1...6).contains(days) ? local.weekdayAndTime(hours) : local.text(hours)
    }

    /// Returns "today 07:09:30", with a note if the clocks go back before it: the time looks past.
    func day(_ instant: Instant) -> String {
        guard let then = zone?.local(instant) else { return "\(instant)" }
        return day(then) + setBack(then, instant)
    }

    /// Returns "today 07:09", without seconds.
    func minute(_ instant: Instant) -> String {
        guard let then = zone?.local(instant) else { return "\(instant)" }
        return day(CivilDateTime(then.date, ClockTime(hour: then.time.hour, minute: then.time.minute) ?? then.time))
    }

    /// Returns "07:09", without seconds, with a note if the clocks go back before it.
    func time(afterSeconds seconds: Int) -> String {
        let then = local(in: nil, afterSeconds: seconds)
        let time = ClockTime(hour: then.time.hour, minute: then.time.minute) ?? then.time
        return hours.text(time) + setBack(then, now.advanced(by: seconds))
    }

    private func setBack(_ then: CivilDateTime, _ instant: Instant) -> String {
        instant > now && then <= local ? " after the clocks go back" : ""
    }

    /// Returns "7 h 12 min".
    func until(_ ring: RingReport) -> String {
        TimeText.length(ring.at.instant.seconds(since: now))
    }

    /// Returns "Mon 07:00", and the local time in the zone of the alarm if it differs.
    func day(_ ring: RingReport) -> String {
        let here = local(ring)
        let own = here == ring.local.dateTime ? "" : " (\(hours.text(ring.local.dateTime.time)) there)"
        return day(here) + own
    }

    /// Returns "rings in 7 h 12 min, Mon 07:00"; with the alarm, also a note if its time does not exist that
    /// night.
    func text(_ ring: RingReport, of alarm: Alarm? = nil) -> String {
        "rings in \(until(ring)), \(day(ring))\(NextText.why(ring, of: alarm, self))"
    }

    /// Returns "from 06:40 when you move"; nil if the ring comes only at its time.
    func early(_ ring: RingReport) -> String? {
        guard let earliest = ring.earliest else { return nil }
        let local = zone?.local(earliest.instant) ?? ring.earliestLocal?.dateTime
        return local.map { "from \(hours.text($0.time)) when you move" }
    }
}

enum NextText {
    /// Returns the time from which a ring may come early and the reasons why it is not at the usual time of the
    /// alarm, or an empty text.
    static func why(_ ring: RingReport, of alarm: Alarm? = nil, _ clock: DeviceClock) -> String {
        if ring.postponedFrom != nil {
            return " (\(["put off", clock.early(ring)].compactMap(\.self).joined(separator: "; ")))"
        }
        let reasons = [clock.early(ring), ownTime(ring), gap(ring, of: alarm, clock.hours)].compactMap(\.self)
        return reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"
    }

    static func ownTime(_ ring: RingReport) -> String? {
        switch ring.layer {
        case .weekly: "\(WeekdaySet([ring.local.dateTime.date.weekday]).summary) has its own time"
        case .date: "this date has its own time"
        case .base: nil
        }
    }

    /// Returns a note if the alarm's time does not exist that night, because the clocks go forward over it.
    static func gap(_ ring: RingReport, of alarm: Alarm?, _ hours: HourFormat) -> String? {
        let local = ring.local.dateTime
        let rule: DayRule? =
            switch ring.layer {
            case .base: alarm?.time.map(DayRule.at)
            case .weekly: alarm?.weekly[local.date.weekday]
            case .date: alarm?.dates[local.date]
            }
        guard case .at(let time)? = rule, time < local.time else { return nil }
        return "there is no \(hours.text(time)) that night"
    }
}
