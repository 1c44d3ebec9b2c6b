// The generator of random histories: nasty, but possible in a year of power cuts and cheap clocks.

import CivilTime
import Engine
import Oracles
import Text

/// Generates histories from a seed.
struct RandomAgenda {
    private var random: SeededRandom
    /// The time if no step had moved the clocks, used to aim at the times of alarms.
    private var wall = 0
    private var zone = Zone.utc

    /// The start of a history: a quiet day, or a night with a clock change.
    private static let beginnings = [
        ("UTC", "2026-01-12T22:00:00Z"), ("UTC", "2026-01-13T06:30:00Z"), ("UTC", "2026-02-26T12:00:00Z"),
        ("America/New_York", "2024-03-10T03:00:00Z"), ("America/New_York", "2024-11-03T04:40:00Z"),
        ("Europe/Berlin", "2026-03-28T20:00:00Z"), ("Europe/Berlin", "2026-10-24T23:50:00Z"),
        ("Asia/Kolkata", "2026-01-30T16:00:00Z"), ("Pacific/Apia", "2011-12-29T08:00:00Z"),
        ("Australia/Lord_Howe", "2026-04-04T12:00:00Z"), ("Australia/Lord_Howe", "2026-10-03T12:00:00Z"),
    ]
    private static let times = ["07:00", "07:30", "06:30", "12:00", "01:30", "02:30", "00:15", "23:50", "02:00"]
    private static let rules = [
        "FREQ=DAILY", "FREQ=DAILY", "FREQ=DAILY;INTERVAL=2", "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "FREQ=WEEKLY", "FREQ=WEEKLY;COUNT=3",
        "FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;INTERVAL=2",
        "FREQ=YEARLY",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=2",
    ]
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let ids = ["nap", "bins", "work", "gym"]
    private static let leads = [60, 600, 1800]
    private static let lengths = [
        1, 2, 3, 59, 60, 61, 600, 1200, 1800, 3599, 3600, 3601, 5400, 7200, 10_799, 10_800, 10_801, 18_000, 36_000,
        43_200,
        82_800, 86_400, 86_400, 90_000, 172_800, 259_200, 691_200,
    ]

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func history(length: Int) -> AgendaHistory {
        let (zoneName, begin) = one(of: Self.beginnings)
        let instant = Instant(begin, rounding: .down) ?? .earliest
        (wall, zone) = (instant.secondsSince1970, AgendaRun.zone(zoneName))
        let isTrusted = chance(75)
        var happenings = [Happening.calendar("school", json: calendar()), .calendar("shift", json: "{}")]
        happenings.append(.save("nap", alarm()))
        while happenings.count < length { happenings += next() }
        return AgendaHistory(beginsAt: instant, zoneName: zoneName, isTrusted: isTrusted, happenings: happenings)
    }

    // MARK: events

    private mutating func next() -> [Happening] {
        switch number(1...100) {
        case 1...38: return [pass()] + (chance(25) ? [.move] : [])
        case 39...50: return clock()
        case 51...56: return [power()] + (chance(30) ? [.setRightAndTrusted] : [])
        case 57...58: return [.compact, power()]
        case 59...62: return [chance(50) ? .trust(chance(60)) : .setRightAndTrusted]
        case 63...66: return [.zone(one(of: AgendaRun.zoneNames))]
        case 67: return [.settingsZone(chance(50) ? nil : one(of: AgendaRun.zoneNames))]
        case 68...70: return chance(60) ? [.master(false), pass(), .master(true)] : [.master(true)]
        case 71...74: return [.calendar(one(of: ["school", "shift"]), json: calendar())]
        case 75...76: return [.turn(one(of: Self.ids), on: chance(60))]
        case 77: return [.postpone(one(of: Self.ids), postponement())]
        case 78: return [.done(one(of: Self.ids))]
        case 79...80: return [.delete(one(of: Self.ids))]
        case 81...88: return [.save(one(of: Self.ids), alarm())]
        default: return [.edit(one(of: Self.ids), edit())]
        }
    }

    private mutating func pass() -> Happening {
        var seconds = one(of: Self.lengths)
        if chance(60) {
            // Aims near the next instant at which the clock shows an alarm's time.
            let local = zone.local(Instant(secondsSince1970: wall))
            let time = ClockTime(one(of: Self.times)) ?? .midnight
            let to = (time.secondsSinceMidnight - local.time.secondsSinceMidnight + 86_400) % 86_400
            seconds = max(1, to + one(of: [-1800, -60, -1, 0, 0, 1, 2, 3, 60, 600, 1800, 3600, 3601]))
        }
        wall += seconds
        // A ring without a stop would be given up after a while; another test covers that.
        return .pass(seconds: seconds, stopsAfter: chance(25) && seconds < 1500 ? nil : one(of: [0, 0, 5, 300, 900]))
    }

    private mutating func clock() -> [Happening] {
        let length = chance(6) ? one(of: [31, 45, 400, 3000]) * 86_400 : one(of: Self.lengths)
        let steps: [Happening] = [.step(seconds: chance(50) ? length : -length)]
        guard chance(60) else { return steps }
        return steps + (chance(60) ? [pass()] : []) + [.setRight]
    }

    private mutating func power() -> Happening {
        let seconds = one(of: Self.lengths + [2_764_800])
        wall += seconds
        return .powerOff(seconds: seconds, clockRuns: chance(60), isTrusted: chance(60))
    }

    // MARK: alarms

    private mutating func alarm() -> [String: String] {
        var fields = ["time": quoted(one(of: Self.times))]
        switch number(1...10) {
        case 1...4: break
        case 5: fields["date"] = quoted(day())
        case 6: fields = fields.merging(["repeat": quoted("FREQ=DAILY;INTERVAL=2"), "start": quoted(day())]) { $1 }
        default: fields["repeat"] = quoted(one(of: Self.rules))
        }
        if chance(20) { fields["weekly"] = weekly() }
        if chance(20) { fields["dates"] = dates() }
        if chance(20) { fields["days"] = quoted(one(of: ["school", "shift"])) }
        if chance(15) { fields["zone"] = quoted(one(of: AgendaRun.zoneNames)) }
        if chance(50) { fields["late"] = "\(one(of: [0, 600, 3600, 43_200]))" }
        if chance(30) { fields["notices"] = notices() }
        if chance(30) { fields["early"] = "\(one(of: Self.leads))" }
        if chance(10) { fields["enabled"] = "false" }
        return fields
    }

    private mutating func edit() -> [String: String] {
        switch number(1...16) {
        case 1: ["time": quoted(one(of: Self.times))]
        case 2: ["repeat": chance(30) ? "null" : quoted(one(of: Self.rules))]
        case 3: ["start": chance(50) ? "null" : quoted(day())]
        case 4: ["date": chance(50) ? "null" : quoted(day())]
        case 5: ["label": quoted("\(number(1...9))")]
        case 6: ["enabled": "\(chance(60))"]
        case 7: ["late": "\(one(of: [0, 600, 3600, 43_200]))"]
        case 8: ["weekly": chance(40) ? "null" : weekly()]
        case 9: ["dates": chance(40) ? "null" : dates()]
        case 10: ["days": chance(40) ? "null" : quoted(one(of: ["school", "shift"]))]
        case 11: ["zone": chance(40) ? "null" : quoted(one(of: AgendaRun.zoneNames))]
        case 12: ["notices": chance(30) ? "null" : notices()]
        case 13: ["early": "\(one(of: Self.leads + [0]))"]
        case 14: ["pause": chance(50) ? "null" : "[\(run())]"]
        default: ["skip": chance(50) ? "null" : "[\(quoted(day()))]"]
        }
    }

    private mutating func postponement() -> Postponement {
        one(of: [.seconds(60), .seconds(3600), .seconds(40_000), .days(1), .days(1), .days(7)])
    }

    private mutating func notices() -> String {
        one(of: [#"["30m"]"#, #"["24h", "30m"]"#, #"["1h", "3d", "2m"]"#])
    }

    private mutating func calendar() -> String {
        var members: [String] = []
        if chance(50) { members.append(#""weekdays": ["mon", "tue", "wed", "thu", "fri"]"#) }
        if chance(60) { members.append(#""off": [\#(run())]"#) }
        if chance(20) { members.append(#""on": [\#(quoted(day()))]"#) }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private mutating func weekly() -> String {
        "{\(quoted(one(of: Self.weekdays))): \(quoted(chance(40) ? "off" : one(of: Self.times)))}"
    }

    private mutating func dates() -> String {
        "{\(quoted(day())): \(quoted(chance(30) ? "off" : one(of: Self.times)))}"
    }

    private mutating func run() -> String {
        let first = date()
        return quoted("\(first)/\(first.advanced(by: one(of: [0, 0, 1, 6])))")
    }

    private mutating func day() -> String { "\(date())" }

    private mutating func date() -> CivilDate {
        zone.local(Instant(secondsSince1970: wall)).date.advanced(by: one(of: [-1, 0, 0, 0, 1, 1, 1, 2, 3, 8]))
    }

    private func quoted(_ text: String) -> String { "\"\(text)\"" }

    // MARK: chance

    private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func one<Value>(of values: [Value]) -> Value { values[number(0...values.count - 1)] }
}
