// The shared helpers of the planning tests: an alarm from its JSON, its schedule, its rings.

import CivilTime
import Testing

@testable import Alarms

/// Returns the first alarm of a file that must have no rejected part.
func alarm(_ json: String, calendars: String = "{}") throws -> Alarm {
    try #require(try read(#"{"calendars": \#(calendars), "alarms": [\#(json)]}"#).alarms.first)
}

/// Returns the file, which must have no rejected part.
func read(_ json: String) throws -> AlarmsFile {
    let reading = try AlarmsFileReading(Array(json.utf8))
    #expect(reading.isWhole, "\(reading.problems) \(reading.setAside)")
    return reading.file
}

/// Returns every problem of a file with these alarms, in order.
func problems(
    of alarms: String, calendars: String = "{}", among validationContext: ValidationContext = ValidationContext()
) throws
    -> [String]
{
    let text = #"{"calendars": \#(calendars), "alarms": [\#(alarms)]}"#
    let reading = try AlarmsFileReading(Array(text.utf8), among: validationContext)
    return (reading.problems + reading.setAside.flatMap(\.problems)).map(\.description)
}

func zone(_ name: String) throws -> Zone {
    var zones = ZoneCatalogue(directory: "/usr/share/zoneinfo")
    return try zones.zone(named: name)
}

func date(_ text: String) throws -> CivilDate {
    try #require(CivilDate(text))
}

func instant(_ text: String) throws -> Instant {
    try #require(Instant(text, rounding: .down))
}

extension Schedule {
    /// Returns the rings of [from, until), one query after the other.
    func rings(from: Instant, until: Instant) -> [PlannedRing] {
        var rings: [PlannedRing] = []
        var last = from.advanced(by: -1)
        while let ring = next(after: last), ring.occurrence.at < until {
            rings.append(ring)
            last = ring.occurrence.at
        }
        return rings
    }

    /// Returns the rings between two instants, in the zone's local time.
    func local(from: String, until: String) throws -> [String] {
        try rings(from: instant(from), until: instant(until)).map {
            "\(zone.local($0.occurrence.at).date) \(zone.local($0.occurrence.at).time)"
        }
    }
}
