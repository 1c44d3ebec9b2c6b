// Peer: libical, which calendar programs find recurrences with.

import CIcal
import CivilTime

/// A libical iterator on the rule, begun on the instant's own date: that is faster than `icalrecur_iterator_set_start`, and right
/// for rules that count no intervals. One iterator set again and again would be a little faster, but libical 3.0.16 then leaves
/// out rings.
final class ICalFinder: RingFinder {
    let name = "libical"
    private let rule: icalrecurrencetype
    private let zone: OpaquePointer?
    private let time: ClockTime

    init(_ rule: PlanCase.PlanRule) {
        self.rule = icalrecurrencetype_from_string(rule.recurrence)
        zone = icaltimezone_get_builtin_timezone(rule.zoneName)
        time = rule.time
    }

    func next(after instant: Instant) -> Instant? {
        var start = icaltime_from_timet_with_zone(instant.secondsSince1970, 0, zone)
        start.hour = Int32(time.hour)
        start.minute = Int32(time.minute)
        start.second = 0
        guard let iterator = icalrecur_iterator_new(rule, start) else { return nil }
        defer { icalrecur_iterator_free(iterator) }
        while true {
            let local = icalrecur_iterator_next(iterator)
            guard icaltime_is_null_time(local) == 0 else { return nil }
            let found = icaltime_as_timet_with_zone(local, zone)
            if found > instant.secondsSince1970 { return Instant(secondsSince1970: found) }
        }
    }
}
