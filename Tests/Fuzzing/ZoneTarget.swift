// The fuzz target for zone data: it reads a zone, converts instants to local times and back, and plans
// rings in it.

import Alarms
import CivilTime

/// Checks the promises of the zone reader and of the arithmetic on zones.
func fuzzZone(_ bytes: [UInt8]) throws(BrokenPromise) {
    let zone: Zone
    do {
        zone = try Zone(name: "Test/Zone", tzif: bytes)
    } catch {
        try promiseReadable("\(error)", bytesMax: 600)
        try promise("\(error)".contains("\"Test/Zone\""), "\(error) does not name the zone")
        return
    }
    for instant in instants {
        try promiseRoundTrip(of: instant, in: zone)
        try promiseReadable(zone.text(instant))
    }
    try promiseEachRing(in: zone)
}

/// Instants a few years apart over the years in which zones have changes, and the ends of time.
private let instants: [Instant] =
    [.earliest, .latest] + (-40..<60).map { Instant(secondsSince1970: $0 * 100_000_007) }
    + (-3...3).map { Instant(secondsSince1970: $0) }

/// Checks that an instant's local time maps back to that instant. Near the ends of the calendar the local
/// date may not be representable, so a day there is left out.
private func promiseRoundTrip(of instant: Instant, in zone: Zone) throws(BrokenPromise) {
    let local = zone.local(instant)
    let found = zone.instants(of: local)
    guard instant > Instant.earliest.advanced(by: 100_000), instant < Instant.latest.advanced(by: -100_000) else {
        return
    }
    switch found {
    case .once(let only): try promise(only == instant, "\(local) was shown at \(instant), not only at \(only)")
    case .twice(let first, let second):
        try promise(first < second, "\(local) happens first at \(first), then at \(second)")
        // Damaged data may show a local time more than twice; the result then has the first and the second.
        try promise(first <= instant, "\(local) was shown at \(instant), before the first time")
    case .never: throw BrokenPromise(description: "\(local) was shown at \(instant), yet it is called a gap")
    }
}

private func promiseEachRing(in zone: Zone) throws(BrokenPromise) {
    for hour in [0, 2, 23] {
        var alarm = Alarm(id: "a")
        alarm.time = ClockTime(hour: hour, minute: 30)
        alarm.recurrence = Recurrence(.daily)
        for instant in Instants.asked {
            let schedule = Schedule(alarm, in: zone, savedAt: instant)
            try promiseRings(of: schedule, after: instant, count: 10, zoneMayBeMad: true)
        }
    }
}
