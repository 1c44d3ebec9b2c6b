// The tests of properties that hold for every plan, checked on random alarms.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct PlanPropertyTests {
    static let zoneNames = [
        "America/New_York", "Europe/Berlin", "Pacific/Apia", "Asia/Beirut", "America/Asuncion", "Australia/Lord_Howe",
        "Africa/Casablanca", "UTC", "Asia/Kathmandu", "America/St_Johns", "Europe/Dublin", "Antarctica/Troll",
    ]

    /// A generator of alarms with any mixture of layers.
    struct Sample {
        var random: RandomRecurrence

        private mutating func chance(_ percent: Int) -> Bool { random.number(0...99) < percent }

        private mutating func time() -> ClockTime {
            // Clocks change at night, so most times are at night.
            let minute = chance(70) ? random.number(0...239) : random.number(0...1439)
            return ClockTime(hour: minute / 60, minute: minute % 60) ?? .midnight
        }

        private mutating func rule() -> DayRule { chance(30) ? .off : .at(time()) }

        mutating func alarm(around day: CivilDate) throws -> Alarm {
            var alarm = Alarm(id: "sample")
            if chance(85) {
                alarm.time = time()
                alarm.start = day.advanced(by: random.number(-400...30))
                if chance(80) {
                    alarm.recurrence = chance(50) ? Recurrence(.daily) : try Recurrence(parsing: random.rule())
                } else if chance(60) {
                    alarm.date = day.advanced(by: random.number(-10...60))
                }
            }
            for weekday in Weekday.allCases where chance(15) { alarm.weekly[weekday] = rule() }
            for offset in -5...80 where chance(8) { alarm.dates[day.advanced(by: offset)] = rule() }
            if chance(25) { alarm.skipped = alarm.skipped.inserting(day.advanced(by: random.number(0...20))) }
            if chance(15) {
                let first = day.advanced(by: random.number(0...30))
                alarm.paused = DateSet([first...first.advanced(by: random.number(0...20))])
            }
            return alarm
        }

        mutating func calendar(around day: CivilDate) -> DayCalendar? {
            guard chance(30) else { return nil }
            let first = day.advanced(by: random.number(-30...30))
            return DayCalendar(
                weekdays: WeekdaySet(Weekday.allCases.filter { _ in chance(70) }),
                from: chance(50) ? first : nil, until: chance(50) ? first.advanced(by: 90) : nil,
                off: DateSet([first.advanced(by: 10)...first.advanced(by: random.number(10...25))]),
                on: chance(50) ? DateSet([first.advanced(by: 12)...first.advanced(by: 12)]) : DateSet())
        }

        mutating func clockChange(in zone: Zone) -> Instant {
            // Returns an instant near a clock change, if the zone has one.
            let start = Instant(secondsSince1970: random.number(1_200_000_000...1_900_000_000))
            var instant = start
            while instant < start.advanced(by: 366 * 86_400) {
                let next = instant.advanced(by: 86_400)
                if zone.stretch(at: next).offsetSeconds != zone.stretch(at: instant).offsetSeconds { return instant }
                instant = next
            }
            return start
        }
    }

    /// Returns the rings by the definition, day by day. It is slow, and independent of the search.
    func expectedRings(
        _ alarm: Alarm, in zone: Zone, calendar: DayCalendar?, since: Instant, from: Instant, until: Instant
    ) -> [Instant] {
        let days = alarm.recurrence.map { RecurrenceDays($0, from: alarm.start ?? zone.local(since).date) }
        var rings: [Instant] = []
        var date = zone.local(from).date.advanced(by: -2)
        while date <= zone.local(until).date.advanced(by: 1) {
            defer { date = date.advanced(by: 1) }
            var time: ClockTime?
            if let entry = alarm.dates[date] {
                time = entry.time
            } else if alarm.paused.contains(date) || calendar?.counts(date) == false {
                time = nil
            } else if let rule = alarm.weekly[date.weekday] {
                time = rule.time
            } else if days.map({ $0.first(onOrAfter: date) == date }) ?? (alarm.date == date) {
                time = alarm.time
            }
            guard let time, !alarm.skipped.contains(date) else { continue }
            switch zone.instants(of: CivilDateTime(date, time)) {
            case .once(let instant), .twice(let instant, _): rings.append(instant)
            case .never(let gap): if !gap.covers(date) { rings.append(gap.readWithOffsetBefore) }
            }
        }
        return Array(Set(rings)).sorted().filter { $0 >= from && $0 < until }
    }

    @Test func randomPlans_keepTheirInvariants() throws {
        var sample = Sample(random: RandomRecurrence(seed: 21))
        let zones = try Self.zoneNames.map { try zone($0) }
        var ringCount = 0
        for round in 0..<Thoroughness.pick(600, full: 60_000) {
            let zone = zones[round % zones.count]
            let from = sample.clockChange(in: zone).advanced(by: -sample.random.number(0...40) * 86_400)
            let day = zone.local(from).date
            let alarm = try sample.alarm(around: day)
            let calendar = sample.calendar(around: day)
            let schedule = Schedule(alarm, in: zone, calendar: calendar, savedAt: from)
            let until = from.advanced(by: 70 * 86_400)
            let middle = from.advanced(by: sample.random.number(0...70 * 86_400))

            let rings = schedule.rings(from: from, until: until)
            ringCount += rings.count
            let what = "round \(round): \(alarm.json) in \(zone.name) from \(from)"
            #expect(zip(rings, rings.dropFirst()).allSatisfy { $0.occurrence.at < $1.occurrence.at }, "\(what)")
            #expect(Set(rings.map(\.date)).count == rings.count, "a date rang twice, \(what)")
            let parts = schedule.rings(from: from, until: middle) + schedule.rings(from: middle, until: until)
            #expect(parts == rings, "\(what)")
            // The schedule itself finds a one-time alarm's date.
            if alarm.time != nil, alarm.recurrence == nil, alarm.date == nil { continue }
            let expected = expectedRings(alarm, in: zone, calendar: calendar, since: from, from: from, until: until)
            #expect(rings.map(\.occurrence.at) == expected, "\(what)")
        }
        #expect(ringCount > 5_000)
    }

    /// The plan merges the rings of many alarms in order. At one instant the file's order decides.
    @Test func mergedRings_areTheRingsOfEachAlarm() throws {
        var sample = Sample(random: RandomRecurrence(seed: 22))
        let from = try instant("2026-03-01T00:00:00Z")
        let until = from.advanced(by: 60 * 86_400)
        var file = AlarmsFile()
        for number in 0..<60 {
            var alarm = try sample.alarm(around: Zone.utc.local(from).date)
            alarm.id = "\(number)"
            alarm.isEnabled = number % 7 != 0
            file.alarms.append(alarm)
        }
        var zones = ZoneCatalogue()
        let plan = Plan(file, deviceZone: try zone("Europe/Berlin"), zones: &zones, from: from)
        let merged = Array(plan.rings(from: from, until: until))
        let each = plan.schedules.enumerated().flatMap { index, schedule in
            schedule.rings(from: from, until: until).map { (ring: $0, index: index) }
        }
        let sorted = each.sorted { ($0.ring.occurrence.at, $0.index) < ($1.ring.occurrence.at, $1.index) }.map(\.ring)
        #expect(merged == sorted)
        #expect(!merged.contains { (Int($0.occurrence.alarm) ?? 0) % 7 == 0 })
        #expect(plan.next(after: from.advanced(by: -1)) == merged.first)

        file.settings.isEnabled = false
        let silent = Plan(file, deviceZone: .utc, zones: &zones, from: from)
        #expect(Array(silent.rings(from: from, until: until)).isEmpty)
    }

    @Test func plan_usesTheDevicesZone_whenAZoneIsMissing() throws {
        var file = AlarmsFile()
        var alarm = try alarm(#"{"id": "a", "time": "07:00", "repeat": "FREQ=DAILY"}"#)
        alarm.zoneName = "Mars/Olympus"
        alarm.calendarName = "school"
        file.alarms = [alarm]
        var zones = ZoneCatalogue()
        let now = try instant("2026-01-01T00:00:00Z")
        let plan = Plan(file, deviceZone: try zone("Europe/Berlin"), zones: &zones, from: now)
        #expect(try plan.next(after: now)?.occurrence.at == instant("2026-01-01T06:00:00Z"))
        #expect(plan.problems.map(\.path) == ["a.zone", "a.days"])
    }
}
