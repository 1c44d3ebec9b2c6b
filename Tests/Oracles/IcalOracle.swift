// Asks libical what it thinks of a recurrence.

import CIcal
import Synchronization

/// libical's answers, as numbers YYYYMMDD.
public enum IcalOracle {
    /// libical keeps state of its own that two threads must not share.
    private static let turn = Mutex(())

    /// The first dates, at most `countMax` and none after `lastDate`, that libical finds for a rule from a start; nothing
    /// when it cannot read the rule.
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
