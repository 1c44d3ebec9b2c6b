// The recurrence oracle: libical's dates for a rule.

import CIcal
import Synchronization

/// libical's results, as numbers YYYYMMDD.
public enum IcalOracle {
    /// The lock around libical, which has global state that is not thread-safe.
    private static let turn = Mutex(())

    /// Returns the first dates of a rule from a start, at most `countMax` and none after `lastDate`.
    /// Returns nil if libical rejects the rule.
    public static func dates(_ rule: String, from start: Int, countMax: Int, lastDate: Int) -> [Int]? {
        turn.withLock { _ in answer(rule, from: start, countMax: countMax, lastDate: lastDate) }
    }

    private static func answer(_ rule: String, from start: Int, countMax: Int, lastDate: Int) -> [Int]? {
        let recurrence = icalrecurrencetype_from_string(rule)
        guard recurrence.freq != ICAL_NO_RECURRENCE else { return nil }
        guard let iterator = icalrecur_iterator_new(recurrence, icaltime_from_string(String(start))) else { return nil }
        defer { icalrecur_iterator_free(iterator) }
        var dates: [Int] = []
        while dates.count < countMax {
            let time = icalrecur_iterator_next(iterator)
            guard icaltime_is_null_time(time) == 0 else { break }
            let date = Int(time.year) * 10_000 + Int(time.month) * 100 + Int(time.day)
            guard date <= lastDate else { break }
            dates.append(date)
        }
        return dates
    }
}
