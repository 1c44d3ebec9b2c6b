// The tests of the format, byte by byte: every later version must read the bytes of this one.

import SimulatedDevices
import Testing

@testable import Journal

@Suite struct FormatTests {
    func hex(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
    }

    @Test func segment_matchesTheDescription() throws {
        let image = try image { try $0.append([record("{\"a\":1}")]) }
        let bytes = try #require(image.files["journal-000000000001"])
        #expect(String(decoding: bytes[..<8], as: UTF8.self) == "ROOSTERJ")
        // Version, number, supersedes, follows, firstLater, baseCount, baseEnd.
        #expect(
            hex(bytes[8..<64])
                == "0200000000000000" + "0100000000000000" + "0000000000000000" + "0000000000000000"
                + "0100000000000000" + "0000000000000000" + "0002000000000000")
        #expect(hex(bytes[508..<512]) == "6a928e8d")
        // Length and checksum, sequence, instant, commitStart, kind and followers and place, payload.
        #expect(
            hex(bytes[512..<560])
                == "2f0000005b71ffa3" + "0100000000000000" + "7ba8da769b010000" + "0100000000000000"
                + "0300000000000000" + "7b2261223a317d00")
        #expect(bytes.count % 512 == 0)
        #expect(bytes[560...].allSatisfy { $0 == 0 })
    }

    @Test func segment_namesItsPredecessor_inTheHeaderAndEachRecord() throws {
        let image = try imageWithSecondChance()
        let bytes = try #require(image.files["journal-000000000002"])
        // The field `follows`, and an empty list of segments to set aside.
        #expect(hex(bytes[32..<40]) == "0100000000000000")
        #expect(bytes[64..<508].allSatisfy { $0 == 0 })
        // The distance to the previous segment's number, in the base and after it.
        #expect(hex(bytes[512 + 36..<512 + 40]) == "03000000")
        #expect(hex(bytes[1024 + 36..<1024 + 40]) == "02000000")
    }

    @Test func header_listsTheSegmentsToSetAside() throws {
        var header = SegmentHeader(
            number: 100, supersedes: 1, follows: 0, firstLater: 2, baseCount: 0, baseEnd: 512, setsAside: [7, 9])
        #expect(hex(header.sector[64..<88]) == "0700000000000000" + "0900000000000000" + "0000000000000000")
        #expect(header.sector.withUnsafeBytes(SegmentHeader.read) == .whole(header))
        // The header has room for 55 numbers; the writer drops the rest.
        header.setsAside = Array(1...99)
        #expect(header.sector.count == Sector.bytes)
        let read = header.sector.withUnsafeBytes(SegmentHeader.read)
        header.setsAside = Array(1...55)
        #expect(read == .whole(header))
        // A header can name only earlier segments.
        header.setsAside = [100]
        #expect(header.sector.withUnsafeBytes(SegmentHeader.read) == .damaged)
    }

    @Test func header_neverStraddlesASector() {
        for offset in 0..<2048 {
            let start = StoredRecord.start(from: offset)
            #expect(start >= offset && start % 8 == 0)
            #expect(start / 512 == (start + StoredRecord.headerBytes - 1) / 512)
            #expect(start < offset + StoredRecord.headerBytes + 8)
        }
    }

    @Test func names_areReadAsTheyAreWritten() {
        for name in [SegmentName.segment(1), .unfinished(42), .setAside(899_999_999_999), .tail(3)] {
            #expect(SegmentName(name.text) == name)
        }
        #expect(SegmentName.segment(7).text == "journal-000000000007")
        #expect(SegmentName.segment(9).text < SegmentName.segment(10).text)
        for text in [
            "", "journal-", "journal-1", "journal-0000000000001", "journal-00000000000x", "journal-000000000001.",
            "journal-000000000001.New", "journal-000000000001.new.new", "Journal-000000000001", "journal-+00000000001",
        ] {
            #expect(SegmentName(text) == nil, "\(text)")
        }
    }
}
