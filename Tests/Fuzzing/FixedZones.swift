// The zones for fuzzing, built here so that a find can be repeated with any version of tzdata.

import CivilTime

/// The zones for fuzzed alarms: without changes, both hemispheres, a gap over midnight, a skipped date.
enum FixedZones {
    static let all: [Zone] = [
        .utc,
        zone("Europe/Berlin", footer: "CET-1CEST,M3.5.0,M10.5.0/3"),
        zone("America/New_York", footer: "EST5EDT,M3.2.0,M11.1.0"),
        zone("America/Santiago", footer: "<-04>4<-03>,M9.1.6/24,M4.1.6/24"),
        zone("Pacific/Apia", change: (-36_000, 1_325_239_200, 50_400), footer: "<+14>-14"),
    ].compactMap(\.self)

    static let catalogue = ZoneCatalogue(closed: all)

    /// Returns a TZif version 2 zone with at most one change and a footer, or nil if the reader rejects it.
    private static func zone(
        _ name: String, change: (before: Int, at: Int, after: Int)? = nil, footer: String
    ) -> Zone? {
        var bytes = header(changes: 0, kinds: 1) + kind(0) + [0]
        if let change {
            bytes += header(changes: 1, kinds: 2) + bigEndian(Int64(change.at)) + [1]
            bytes += kind(change.before) + kind(change.after) + [0]
        } else {
            bytes += header(changes: 0, kinds: 1) + kind(0) + [0]
        }
        return try? Zone(name: name, tzif: bytes + Array("\n\(footer)\n".utf8))
    }

    private static func header(changes: UInt32, kinds: UInt32) -> [UInt8] {
        let counts: [UInt32] = [0, 0, 0, changes, kinds, 1]
        return Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts.flatMap { bigEndian($0) }
    }

    private static func kind(_ offsetSeconds: Int) -> [UInt8] {
        bigEndian(Int32(offsetSeconds)) + [0, 0]
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian, Array.init)
    }
}
