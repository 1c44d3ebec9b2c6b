// The instants for queries of rings: ordinary days, clock changes, and the ends of time.

import CivilTime

/// The instants that planning starts from.
enum Instants {
    static let asked: [Instant] = [
        .earliest,
        instant(2024, 3, 10, hour: 6),
        instant(2011, 12, 29, hour: 9),
        instant(2026, 10, 25),
        Instant.latest.advanced(by: -90_000),
        .latest,
    ].compactMap(\.self)

    private static func instant(_ year: Int, _ month: Int, _ day: Int, hour: Int = 0) -> Instant? {
        CivilDate(year: year, month: month, day: day).map {
            Instant(secondsSince1970: $0.dayNumber * 86_400 + hour * 3600)
        }
    }
}
