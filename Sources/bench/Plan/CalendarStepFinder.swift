// Peer: Foundation's Calendar only converts, and the program steps from day to day itself.

import CivilTime
import Foundation

/// The local date by `dateComponents`, then day by day `date(from:)` until a weekday that counts lies ahead: the search is
/// the program's own, so this is the least that Calendar can be asked.
struct CalendarStepFinder: RingFinder {
    let name = "Foundation: Calendar's conversions"
    private let calendar: Calendar
    private let time: ClockTime
    private let weekdays: Set<Int>

    init(_ rule: PlanCase.PlanRule) throws {
        calendar = try Calendar.gregorian(rule.zoneName)
        time = rule.time
        weekdays = Calendar.numbers(of: rule.weekdays)
    }

    func next(after instant: Instant) -> Instant? {
        let start = Date(timeIntervalSince1970: Double(instant.secondsSince1970))
        let today = calendar.dateComponents([.year, .month, .day, .weekday], from: start)
        guard let day = today.day, let weekday = today.weekday else { return nil }
        var wanted = DateComponents(
            year: today.year, month: today.month, hour: time.hour, minute: time.minute, second: 0)
        for offset in 0...7 where weekdays.contains((weekday + offset - 1) % 7 + 1) {
            wanted.day = day + offset
            if let date = calendar.date(from: wanted), date > start {
                return Instant(secondsSince1970: Int(date.timeIntervalSince1970))
            }
        }
        return nil
    }
}
