// Times in the words that people use: "7 h 12 min", "Mon 07:00".

import API
import Alarms
import CivilTime

enum TimeWords {
    /// "45 s", "12 min", "7 h 12 min", "3 days 4 h".
    static func length(_ seconds: Int) -> String {
        let seconds = max(0, seconds)
        let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
        if seconds < 60 { return "\(seconds) s" }
        // Below five minutes the seconds are shown too.
        if minutes < 5 { return "\(minutes) min\(rest(seconds % 60, "s"))" }
        if hours < 1 { return "\(minutes) min" }
        if hours < 48 { return "\(hours) h\(rest(minutes % 60, "min"))" }
        return "\(days) days\(rest(hours % 24, "h"))"
    }

    private static func rest(_ count: Int, _ unit: String) -> String { count == 0 ? "" : " \(count) \(unit)" }

    /// "today 07:00", "Mon 07:00", and with the date where a weekday alone is ambiguous.
    static func day(_ local: CivilDateTime, today: CivilDate) -> String {
        let days = today.days(until: local.date)
        if days == 0 { return "today \(local.time)" }
        return (1...6).contains(days) ? local.weekdayAndTime : local.words
    }
}

extension CivilDateTime {
    /// "Mon 2026-01-12 07:00".
    var words: String { "\(WeekdaySet([date.weekday]).words) \(date) \(time)" }

    /// "Mon 07:00".
    var weekdayAndTime: String { "\(WeekdaySet([date.weekday]).words) \(time)" }
}

/// The clock and the zone of the device.
struct DeviceClock {
    let now: Instant
    let local: CivilDateTime
    private let zone: Zone?

    init(_ device: DeviceReport) {
        (now, local) = (device.now.instant, device.local.dateTime)
        zone = DeviceClock.zone(named: device.zone)
    }

    /// Nil for an unknown zone: the service sends local times too, and refuses an unknown zone with better words.
    private static func zone(named name: String) -> Zone? {
        var zones = ZoneCatalogue()
        do {
            return try zones.zone(named: name)
        } catch {
            return nil
        }
    }

    var today: CivilDate { local.date }

    /// The date in another zone, or here where there is no such zone.
    func today(in name: String?) -> CivilDate { local(in: name).date }

    /// The local time so many seconds from now in a named zone, or of the device if the zone is nil or unknown.
    func local(in name: String?, afterSeconds seconds: Int = 0) -> CivilDateTime {
        let instant = now.advanced(by: seconds)
        // Where this machine has no zone data, the service's own local time stands in.
        return name.flatMap(DeviceClock.zone(named:))?.local(instant) ?? zone?.local(instant) ?? local
    }

    /// Whether an alarm rings at one time on one date only, and that is past.
    func isOver(_ alarm: Alarm) -> Bool {
        guard let time = alarm.time, let date = alarm.onlyDate else { return false }
        return CivilDateTime(date, time) <= local(in: alarm.zoneName)
    }

    /// The local time of the device; nil where this machine does not have its zone.
    func local(at instant: Instant) -> LocalTime? { zone.map { LocalTime(instant, in: $0) } }

    func local(_ ring: RingReport) -> CivilDateTime { zone?.local(ring.at.instant) ?? ring.local.dateTime }

    /// "today 07:09:30"; where the clocks are set back before it, says so, for it looks as if it were past.
    func day(_ instant: Instant) -> String {
        guard let then = zone?.local(instant) else { return "\(instant)" }
        return TimeWords.day(then, today: today) + setBack(then, instant)
    }

    /// "07:09, in 9 min".
    func time(afterSeconds seconds: Int) -> String {
        let then = local(in: nil, afterSeconds: seconds)
        let time = ClockTime(hour: then.time.hour, minute: then.time.minute) ?? then.time
        return "\(time), in \(TimeWords.length(seconds))" + setBack(then, now.advanced(by: seconds))
    }

    private func setBack(_ then: CivilDateTime, _ instant: Instant) -> String {
        instant > now && then <= local ? ", when the clock has gone back" : ""
    }

    /// "7 h 12 min".
    func until(_ ring: RingReport) -> String {
        TimeWords.length(ring.at.instant.seconds(since: now))
    }

    /// "Mon 07:00", and the local time in the alarm's own zone.
    func day(_ ring: RingReport) -> String {
        let here = local(ring)
        let own = here == ring.local.dateTime ? "" : " (\(ring.local.dateTime.time) there)"
        return TimeWords.day(here, today: today) + own
    }

    /// "rings in 7 h 12 min, Mon 07:00"; with the alarm, also that its time does not exist that night.
    func words(_ ring: RingReport, of alarm: Alarm? = nil) -> String {
        "rings in \(until(ring)), \(day(ring))\(NextWords.why(ring, of: alarm))"
    }
}

enum NextWords {
    /// Why a ring is not at the alarm's usual time; empty where it is.
    static func why(_ ring: RingReport, of alarm: Alarm? = nil) -> String {
        let reasons = [ownTime(ring), gap(ring, of: alarm)].compactMap(\.self)
        return reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"
    }

    static func ownTime(_ ring: RingReport) -> String? {
        switch ring.layer {
        case .weekly: "\(WeekdaySet([ring.local.dateTime.date.weekday]).words) has its own time"
        case .date: "this date has its own time"
        case .base: nil
        }
    }

    /// That the alarm's time does not exist that night, where the clocks are set forward over it; nil where it does.
    static func gap(_ ring: RingReport, of alarm: Alarm?) -> String? {
        let local = ring.local.dateTime
        let rule: DayRule? =
            switch ring.layer {
            case .base: alarm?.time.map(DayRule.at)
            case .weekly: alarm?.weekly[local.date.weekday]
            case .date: alarm?.dates[local.date]
            }
        guard case .at(let time)? = rule, time < local.time else { return nil }
        return "there is no \(time) that night"
    }
}
