// The simulated zones a second time, as somebody would look them up: an offset for winter, one for summer, and the days on
// which clocks are set.

import CivilTime

/// What a zone's clocks show. It shares no code with what the engine reads zones by.
struct PlainZone: Sendable, Equatable {
    private let winterSeconds: Int
    private let summerSeconds: Int
    /// When summer begins and ends, by the year; empty where it never does.
    private var summers: [Int: (begins: Int, ends: Int)] = [:]

    /// The day of a year on which clocks are set, and what they show then.
    struct Change {
        var month: Int
        /// Which of the month's days of that name; 0 for the last.
        var place: Int
        var weekday = Weekday.sunday
        /// 24 for the end of the day.
        var hour: Int

        /// Seconds since 1970 by the clocks as they are before they are set.
        func local(_ year: Int) -> Int {
            let first = CivilDate(year: year, month: place == 0 ? month + 1 : month, day: 1) ?? .first
            let day =
                place == 0
                ? first.advanced(by: -1 - first.advanced(by: -1).weekday.days(after: weekday))
                : first.advanced(by: weekday.days(after: first.weekday) + 7 * (place - 1))
            return day.dayNumber * 86_400 + hour * 3600
        }
    }

    private init(winterMinutes: Int, summerMinutes: Int, begins: Change? = nil, ends: Change? = nil) {
        winterSeconds = winterMinutes * 60
        summerSeconds = summerMinutes * 60
        guard let begins, let ends else { return }
        for year in PlainZone.years {
            summers[year] = (begins.local(year) - winterSeconds, ends.local(year) - summerSeconds)
        }
    }

    /// No two of them have the same two offsets.
    static func == (one: PlainZone, other: PlainZone) -> Bool {
        one.winterSeconds == other.winterSeconds && one.summerSeconds == other.summerSeconds
    }

    /// Those of the nights, and one more on either side.
    private static let years = 2022...2037

    /// The zones in the order of `SimulatedZones`.
    static let all = [
        // Berlin
        PlainZone(
            winterMinutes: 60, summerMinutes: 120, begins: Change(month: 3, place: 0, hour: 2),
            ends: Change(month: 10, place: 0, hour: 3)),
        // New York
        PlainZone(
            winterMinutes: -300, summerMinutes: -240, begins: Change(month: 3, place: 2, hour: 2),
            ends: Change(month: 11, place: 1, hour: 2)),
        // Lord Howe
        PlainZone(
            winterMinutes: 630, summerMinutes: 660, begins: Change(month: 10, place: 1, hour: 2),
            ends: Change(month: 4, place: 1, hour: 2)),
        // Santiago
        PlainZone(
            winterMinutes: -240, summerMinutes: -180,
            begins: Change(month: 9, place: 1, weekday: .saturday, hour: 24),
            ends: Change(month: 4, place: 1, weekday: .saturday, hour: 24)),
        // Tokyo
        PlainZone(winterMinutes: 540, summerMinutes: 540),
    ]

    private func isSummer(_ second: Int) -> Bool {
        let year = CivilDate(dayNumber: (second + winterSeconds) / 86_400).year
        guard let summer = summers[year] else { return false }
        return summer.begins < summer.ends
            ? summer.begins <= second && second < summer.ends : second < summer.ends || summer.begins <= second
    }

    /// How far clocks are ahead of UTC.
    func offset(at second: Int) -> Int { isSummer(second) ? summerSeconds : winterSeconds }

    /// The day that it is.
    func day(at second: Int) -> Int { (second + offset(at: second)) / 86_400 }

    /// When clocks first show a time of a day, and when they last do; where they never do, when they would have, had they not
    /// been set.
    func seconds(of day: Int, _ secondOfDay: Int) -> (first: Int, last: Int) {
        let local = day * 86_400 + secondOfDay
        let shown = [summerSeconds, winterSeconds].map { local - $0 }.filter { $0 + offset(at: $0) == local }
        return (shown.min() ?? local - winterSeconds, shown.max() ?? local - winterSeconds)
    }
}
