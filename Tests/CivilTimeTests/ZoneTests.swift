// The tests of time zones at single moments with known results, and with missing or damaged data.

import Foundation
import Oracles
import Testing

@testable import CivilTime

@Suite struct ZoneTests {
    var zones = ZoneCatalogue(directory: "/usr/share/zoneinfo")

    func local(_ date: String, _ time: String) throws -> CivilDateTime {
        CivilDateTime(try #require(CivilDate(date)), try #require(ClockTime(time)))
    }

    func instant(_ text: String) throws -> Instant {
        try #require(Instant(text, rounding: .down))
    }

    @Test mutating func timeInAGap_usesTheOffsetBeforeIt() throws {
        let newYork = try zones.zone(named: "America/New_York")
        guard case .never(let gap) = newYork.instants(of: try local("2024-03-10", "02:30")) else {
            Issue.record("02:30 was not left out")
            return
        }
        #expect(gap.readWithOffsetBefore.description == "2024-03-10T07:30:00Z")
        #expect(newYork.text(gap.readWithOffsetBefore) == "2024-03-10T03:30:00-04:00")
        #expect(gap.change.description == "2024-03-10T07:00:00Z")
        #expect(gap.start.description == "2024-03-10T02:00:00")
        #expect(gap.end.description == "2024-03-10T03:00:00")
        #expect(try !gap.covers(#require(CivilDate("2024-03-10"))))
    }

    @Test mutating func gap_coversTheDate_whenTheZoneSkippedIt() throws {
        let apia = try zones.zone(named: "Pacific/Apia")
        guard case .never(let gap) = apia.instants(of: try local("2011-12-30", "12:00")) else {
            Issue.record("2011-12-30 was there")
            return
        }
        #expect(try gap.covers(#require(CivilDate("2011-12-30"))))
        #expect(try !gap.covers(#require(CivilDate("2011-12-31"))))
    }

    @Test mutating func farYears_followTheRule() throws {
        let berlin = try zones.zone(named: "Europe/Berlin")
        #expect(berlin.text(try instant("2500-07-01T10:00:00Z")) == "2500-07-01T12:00:00+02:00")
        #expect(berlin.text(try instant("9999-12-30T23:59:59Z")) == "9999-12-31T00:59:59+01:00")
    }

    @Test mutating func offsetWithSeconds_isPrintedInFull() throws {
        let newYork = try zones.zone(named: "America/New_York")
        #expect(newYork.text(try instant("1800-01-01T12:00:00Z")) == "1800-01-01T07:03:58-04:56:02")
    }

    @Test(arguments: [
        "", "/etc/passwd", "../../etc/passwd", "Europe//Berlin", "Europe/Berlin/", "Europe/.hidden", "Europe/Ber lin",
        "Europe/Berlin\0", String(repeating: "a", count: 101),
    ])
    mutating func invalidZoneName_isRefused(name: String) {
        #expect(throws: ZoneError.notAName(name)) { try zones.zone(named: name) }
    }

    @Test mutating func missingZone_isReportedByName() {
        #expect(throws: ZoneError.notFound("Mars/Olympus", directory: "/usr/share/zoneinfo")) {
            try zones.zone(named: "Mars/Olympus")
        }
        #expect(throws: ZoneError.notFound("Europe", directory: "/usr/share/zoneinfo")) {
            try zones.zone(named: "Europe")
        }
        #expect(throws: ZoneError.notFound("UTC", directory: "/nowhere")) {
            var nowhere = ZoneCatalogue(directory: "/nowhere")
            _ = try nowhere.zone(named: "UTC")
        }
        #expect("\(ZoneError.notAName("a\nb"))".contains("\n") == false)
        // A closed catalogue reads no directory.
        var closed = ZoneCatalogue(closed: [.utc])
        #expect(throws: ZoneError.notFound("Berlin", directory: "")) { try closed.zone(named: "Berlin") }
        #expect(
            "\(ZoneError.notFound("Berlin", directory: ""))"
                == "there is no time zone \"Berlin\" (names look like Europe/Berlin)")
    }

    @Test func zone_isReadOnce_andCached() throws {
        let scratch = try Scratch()
        let file = try scratch.file("Here")
        try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")).write(to: file)
        var zones = ZoneCatalogue(directory: scratch.path)
        var others = zones
        let here = try zones.zone(named: "Here")
        try FileManager.default.removeItem(at: file)
        let again = try zones.zone(named: "Here")
        #expect(again == here)
        #expect(throws: ZoneError.self) { try others.zone(named: "Here") }
    }

    @Test func zone_isMalformed_whenItCountsLeapSeconds() throws {
        var zones = ZoneCatalogue(directory: "/usr/share/zoneinfo/right")
        guard FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/right/UTC") else { return }
        #expect(throws: ZoneError.self) { try zones.zone(named: "UTC") }
    }
}

@Suite struct DeviceZoneTests {
    private let etc: Scratch
    private let zoneinfo = "/usr/share/zoneinfo"

    init() throws { etc = try Scratch() }

    private var localtime: String { "\(etc.path)/localtime" }
    private var deviceZone: String? { ZoneCatalogue.deviceZoneName(etc: etc.path) }

    @Test func deviceZone_isTheTargetOfLocaltime() throws {
        #expect(deviceZone == nil)
        _ = try etc.file("timezone", holding: "Europe/Paris\n")
        #expect(deviceZone == "Europe/Paris")
        try FileManager.default.createSymbolicLink(
            atPath: localtime, withDestinationPath: "../usr/share/zoneinfo/America/Argentina/Ushuaia")
        #expect(deviceZone == "America/Argentina/Ushuaia")
    }

    /// The clock follows the contents of `localtime`, even if `timezone` names another zone.
    @Test func copiedLocaltime_isTheZone_unlessTimezoneNamesTheSame() throws {
        try FileManager.default.copyItem(atPath: "\(zoneinfo)/Europe/Berlin", toPath: localtime)
        #expect(deviceZone == localtime)
        var zones = ZoneCatalogue(etc: etc.path)
        let summer = Instant(secondsSince1970: 1_720_000_000)
        #expect(try zones.zone(named: localtime).text(summer) == "2024-07-03T11:46:40+02:00")
        _ = try etc.file("timezone", holding: "Etc/UTC\n")
        #expect(deviceZone == localtime)
        _ = try etc.file("timezone", holding: "Nowhere/Town\n")
        #expect(deviceZone == localtime)
        _ = try etc.file("timezone", holding: "Europe/Berlin\n")
        #expect(deviceZone == "Europe/Berlin")
    }

    @Test func invalidLocaltime_isMalformed_unlessTimezoneNamesAZone() throws {
        _ = try etc.file("localtime", holding: "Berlin")
        #expect(deviceZone == localtime)
        var zones = ZoneCatalogue(etc: etc.path)
        #expect(throws: ZoneError.malformed(localtime, what: "the header is cut off")) {
            try zones.zone(named: localtime)
        }
        _ = try etc.file("timezone", holding: "Europe/Paris\n")
        #expect(deviceZone == "Europe/Paris")
    }

    @Test func pathOfAnotherLocaltime_isNotAZoneName() {
        var zones = ZoneCatalogue(etc: etc.path)
        #expect(throws: ZoneError.notAName("/etc/localtime")) { try zones.zone(named: "/etc/localtime") }
    }
}
