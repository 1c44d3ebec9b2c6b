// The time and days of an alarm in its owner's words: "7:00 weekdays", "18:00 monthly last fri".

import API
import Alarms
import CivilTime
import JSON

/// The base of an alarm, parsed from its owner's words. An edit leaves a field unchanged if it is nil here.
struct When: Hashable {
    enum Days: Hashable {
        /// The next time that the clock shows the alarm's time.
        case once
        /// 0 is today, 1 is tomorrow.
        case inDays(Int)
        case date(CivilDate)
        case rule(Recurrence)
    }

    /// The delay from now, which replaces all other fields.
    var delaySeconds: Int?
    var time: ClockTime?
    var days: Days?
    /// The day from which intervals count.
    var start: CivilDate?

    /// Parses the words of a command line. The shell may have split them in any way.
    init(_ words: [String]) throws(WhenError) {
        var reader = try WhenReader(words)
        self = try reader.when()
    }

    init(time: ClockTime? = nil, days: Days? = nil, start: CivilDate? = nil, delaySeconds: Int? = nil) {
        (self.time, self.days, self.start, self.delaySeconds) = (time, days, start, delaySeconds)
    }

    /// The part that only the device can resolve, by its own clock.
    var relative: RelativeTime {
        if case .inDays(let count) = days { return RelativeTime(daysAhead: count) }
        return RelativeTime(delaySeconds: delaySeconds)
    }

    /// Returns the other fields of the alarm, as a merge patch to `old` if it is given.
    func changes(to old: Alarm? = nil) -> [JSON.Member] {
        var members: [JSON.Member] = []
        if let time { members.append(.init("time", .text(time))) }
        guard let days else { return members }
        let rule: Recurrence? = if case .rule(let recurrence) = days { recurrence } else { nil }
        // New days replace the old ones whole. If the rule is unchanged, its intervals still count from the
        // same day.
        switch days {
        case .inDays: break
        case .date(let date): members.append(.init("date", .text(date)))
        case .once, .rule: members.append(.init("date", .null))
        }
        members.append(.init("repeat", .text(rule)))
        let goesOn = old.map { $0.recurrence == rule } ?? false
        return goesOn && start == nil ? members : members + [.init("start", .text(start))]
    }
}

extension When.Days {
    /// Parses a single day: today, tomorrow or a date; nil for any other word.
    init?(day word: String) {
        switch word {
        case "today": self = .inDays(0)
        case "tomorrow": self = .inDays(1)
        default:
            guard let date = CivilDate(word) else { return nil }
            self = .date(date)
        }
    }

    /// Returns the date of a single day, or nil for `once` and for a rule.
    func date(today: CivilDate) -> CivilDate? {
        switch self {
        case .inDays(let count): today.advanced(by: count)
        case .date(let date): date
        case .once, .rule: nil
        }
    }
}

struct WhenError: Error, Hashable {
    let reason: String

    /// Examples of every form, for the help.
    static let examples = """
        TIME and DAYS:
          7:00                       once, at the next 7:00; also 7pm, 7.30, 7h30, noon
          7:15 2026-12-24            once, on a date; also today, tomorrow
          in 20min                   once, after this time; also 'in 1h30'
          7:00 daily                 also weekdays, weekends
          7:00 mon,wed               also mon-thu
          7:00 every 2 weeks         also 'biweekly', 'every other week on mon,thu',
                                     'every 3 days'
          7:00 monthly on the 15th   also 'monthly last day'; 'monthly 31' is the last
                                     day of a shorter month
          18:00 monthly last fri     also 'monthly first mon', 'monthly last weekday'
          7:00 every 3 months        also 'every 6 months on the 1st'
          7:00 yearly 24 dec         also 'yearly last sun of march'

        After days that repeat: 'from 2026-12-01' (intervals count from there),
        'until 2027-06-30', '10 times'. A calendar rule (RFC 5545) can replace the
        days: FREQ=DAILY;INTERVAL=3
        """
    static let hint =
        "Examples: 7:00, 7:00 weekdays, 7:15 2026-12-24, in 20min ('rooster add --help' lists all forms)"
}
