// The tests of damaged zone data: the reader reports an error, without a crash or a wrong zone.

import Foundation
import Oracles
import Testing

@testable import CivilTime

@Suite struct TZifTests {
    let berlin: [UInt8]

    init() throws {
        berlin = Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
    }

    func reason(_ bytes: [UInt8]) -> String? {
        do {
            _ = try Zone(name: "Test/Zone", tzif: bytes)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func everyTruncation_isRefused_withTheZonesName() throws {
        #expect(reason(berlin) == nil)
        for length in 0..<berlin.count {
            let text = try #require(reason(Array(berlin.prefix(length))), "\(length) bytes were taken for whole")
            #expect(text.contains("\"Test/Zone\""))
        }
    }

    @Test func flippedBytes_neverCrash() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<Thoroughness.pick(3000, full: 300_000) {
            var bytes = berlin
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<min(bytes.count, 200), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if let zone = try? Zone(name: "Test/Zone", tzif: bytes) {
                _ = zone.instants(of: CivilDateTime(.last, .midnight))
                _ = zone.instants(of: CivilDateTime(CivilDate(dayNumber: 20_000), .midnight))
            }
        }
    }

    @Test func versionOne_isRead_withoutAFooter() throws {
        let zone = try Zone(name: "Test/Zone", tzif: tzif(version: 0, footer: nil))
        #expect(zone.stretch(at: 99).offsetSeconds == 3600)
        #expect(zone.stretch(at: 100).offsetSeconds == 7200)
        #expect(zone.stretch(at: 4_000_000_000).offsetSeconds == 7200)
    }

    @Test func versionFour_isRead() throws {
        let zone = try Zone(name: "Test/Zone", tzif: tzif(version: 0x34, footer: "<+02>-2"))
        #expect(zone.stretch(at: 4_000_000_000).offsetSeconds == 7200)
    }

    @Test(arguments: [
        "EST", "EST5EDT", "5", "ES5", "EST25", "EST5EDT,M13.1.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0",
        "EST5EDT,M3.2.7,M11.1.0", "EST5EDT,J0,J365", "EST5EDT,366,1", "EST5EDT,M3.2.0/168,M11.1.0",
        "EST5EDT,M3.2.0,M11.1.0x", "<EST5", "EST5:60", "EST5EDT,M3.2.0",
    ])
    func footer_isRefused_whenItIsNoRule(footer: String) throws {
        let text = try #require(reason(tzif(version: 0x32, footer: footer)))
        #expect(text.contains("is not a rule"))
    }

    @Test func controlCharactersInAFooter_areEscaped_inOneLine() throws {
        let text = try #require(reason(tzif(version: 0x32, footer: "X\u{1B}[2J\r\u{85}")))
        #expect(text.hasSuffix(#"the footer "X\u{1B}[2J\r\u{85}" is not a rule)"#))
    }

    @Test(arguments: [("LMT-0:53:28", 3208), ("LMT4:56:02", -17_762), ("<+0545>-5:45", 20_700), ("UTC0", 0)])
    func footer_mayStateOffsetsToTheSecond(footer: String, seconds: Int) throws {
        let rule = try #require(ZoneRule(footer.utf8))
        #expect(rule.stretch(at: 0).offsetSeconds == seconds)
    }

    @Test func footer_mayKeepDaylightTimeAllYear() throws {
        let rule = try #require(ZoneRule("EST5EDT,0/0,J365/25".utf8))
        for day in 0..<800 {
            #expect(rule.stretch(at: day * 86_400 + 17_999).offsetSeconds == -4 * 3600)
            #expect(rule.stretch(at: day * 86_400 + 18_000).offsetSeconds == -4 * 3600)
        }
    }

    /// The end of one year's daylight time comes after the start of the next year's.
    @Test func footer_mayHaveChangesThatCrossOverNewYear() throws {
        let rule = try #require(ZoneRule("EST0EDT,1/0,J365/56".utf8))
        var stretch = rule.stretch(at: 0)
        for _ in 0..<20 {
            let next = rule.stretch(at: stretch.end)
            #expect(next.start == stretch.end)
            #expect(rule.stretch(at: next.end - 1) == next)
            stretch = next
        }
        #expect(rule.stretch(at: 0).offsetSeconds == 0)
        #expect(rule.stretch(at: 86_400).offsetSeconds == 3600)
        #expect(rule.stretch(at: 86_400 + 7 * 3600).offsetSeconds == 0)
    }

    @Test func footer_mayHaveDaylightTimeInWinter() throws {
        let rule = try #require(ZoneRule("IST-1GMT0,M10.5.0,M3.5.0/1".utf8))
        let january = try #require(Instant("2050-01-15T12:00:00Z", rounding: .down))
        let july = try #require(Instant("2050-07-15T12:00:00Z", rounding: .down))
        #expect(rule.stretch(at: january.secondsSince1970).offsetSeconds == 0)
        #expect(rule.stretch(at: july.secondsSince1970).offsetSeconds == 3600)
    }

    @Test func badTables_areRefused() throws {
        #expect(try #require(reason(tzif(version: 0x32, footer: "X0", changes: [100, 100]))).contains("not in order"))
        #expect(
            try #require(reason(tzif(version: 0x32, footer: "XXX0", kinds: [7]))).contains("unknown kind of local time")
        )
        #expect(try #require(reason(tzif(version: 0x32, footer: "XXX0", offset: 100_000))).contains("100000 seconds"))
        #expect(try #require(reason(tzif(version: 0x31, footer: "XXX0"))).contains("unknown version"))
        #expect(try #require(reason([0x54, 0x5A, 0x69, 0x67])).contains("header"))
    }

    /// Returns a small TZif file: one hour east of Greenwich, and `offset` from each change on.
    func tzif(
        version: UInt8, footer: String?, changes: [Int] = [100], kinds: [UInt8]? = nil, offset: Int32 = 7200
    ) -> [UInt8] {
        func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        func part(time: (Int) -> [UInt8]) -> [UInt8] {
            let counts = [0, 0, 0, UInt32(changes.count), 2, 4].flatMap(bigEndian)
            let header = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + counts
            let table = changes.flatMap(time) + (kinds ?? changes.map { _ in 1 })
            let types = bigEndian(Int32(3600)) + [0, 0] + bigEndian(offset) + [1, 0]
            return header + table + types + Array("ABC\0".utf8)
        }
        let old = part { bigEndian(Int32($0)) }
        guard version > 0 else { return old }
        return old + part { bigEndian(Int64($0)) } + (footer.map { Array("\n\($0)\n".utf8) } ?? [])
    }
}
