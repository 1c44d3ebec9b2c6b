// The tests of the second chance: the segment before the newest one, which replaces a damaged start.

import Glibc
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct SecondChanceTests {
    /// The damaged records with their segments, the payloads that are recovered all the same, and the
    /// findings of the report.
    static let damages: [(what: [(String, UInt64)], found: [String], findings: [Damage.Finding])] = [
        ([("d", 2)], ["abc", "e"], [.missing(5...5)]),
        ([("e", 2)], ["abc", "d"], []),
        ([("header", 2)], ["abc", "d", "e"], [.header]),
        ([("abc", 2)], ["a", "b", "c", "d", "e"], [.missingFromBase(count: 1)]),
        ([("abc", 2), ("b", 1)], ["a", "c", "d", "e"], [.missingFromBase(count: 1), .missing(2...2)]),
        ([("abc", 2), ("c", 1)], ["a", "b", "d", "e"], [.missingFromBase(count: 1), .missing(3...3)]),
        // If the header is damaged, the record in its place shows whether the base was empty or is missing.
        ([("abc", 2), ("header", 1)], ["a", "b", "c", "d", "e"], [.missingFromBase(count: 1), .header]),
        ([("abc", 2), ("header", 1), ("header", 2)], ["a", "b", "c", "d", "e"], [.header, .header, .missing(4...4)]),
        ([("header", 2), ("b", 1)], ["abc", "d", "e"], [.header]),
        ([("header", 2), ("b", 1), ("abc", 2)], ["a", "c", "d", "e"], [.header, .missing(2...2), .missing(4...4)]),
    ]

    @Test(arguments: damages) func damage_losesNoReadableRecord(
        what: [(String, UInt64)], found: [String], findings: [Damage.Finding]
    ) throws {
        var image = try imageWithSecondChance()
        for (word, segment) in what {
            if word == "header" {
                image.files[SegmentName.segment(segment).text]?[20] ^= 1
            } else {
                try image.damage(word, in: segment)
            }
        }
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == found)
        #expect(opened.report.damage.map(\.finding) == findings)
        // Only the number of a record that was never acknowledged may be used again.
        #expect((opened.report.tornTail != nil) == (found.last != "e"))
        #expect(try opened.journal.append([record("f")]).map(\.sequence) == [found.last == "e" ? 7 : 6])
    }

    @Test func secondChance_withADamagedBase_givesItsReadableRecords() throws {
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.compact(to: [record("x"), record("y")])
            try journal.compact(to: [record("p"), record("q")])
            try journal.append([record("r")])
        }
        try image.damage("x", in: 2)
        try image.damage("p", in: 3)
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == ["y", "q", "r"])
        #expect(opened.report.damage.map(\.finding) == [.missingFromBase(count: 1), .missingFromBase(count: 1)])
        #expect(Set(opened.report.damage.map(\.file)).count == 2)
    }

    @Test func refusedRecords_areNotRecovered_fromTheSecondChance() throws {
        let disk = SimulatedDisk()
        let opened = try Journal.Opened.on(disk)
        try opened.journal.append([record("a")])
        // The sync fails when the record is already in the file, and the repair after it fails as well.
        disk.faults = [DiskFault(.full, after: 1, count: 2)]
        #expect(throws: JournalError.self) { try opened.journal.append([record("refused")]) }
        try opened.journal.append([record("b")])
        var image = disk.currentImage
        let newest = try #require(image.files.keys.compactMap(SegmentName.init).map(\.number).max())
        try image.damage("a", in: newest)
        let again = try Journal.Opened.on(image)
        #expect(texts(again.records) == ["a", "b"])
        #expect(again.report.damage.map(\.finding) == [.missingFromBase(count: 1)])
    }

    /// Refused records must not return, even if the segment that hid them is damaged, and later the segment
    /// after it.
    @Test func refusedRecords_areNotRecovered_afterARecovery() throws {
        let (disk, journal) = try newJournal("a", "b")
        disk.faults = [DiskFault(.full, after: 1, count: 2)]
        #expect(throws: JournalError.self) { try journal.append([record("refused 0"), record("refused 1")]) }
        for word in ["c", "d"] { try journal.append([record(word)]) }
        var image = disk.currentImage
        let second = try #require(image.files.keys.compactMap(SegmentName.init).map(\.number).max())
        image.files[SegmentName.segment(second).text]?[20] ^= 1
        let recovered = SimulatedDisk(image)
        let opened = try Journal.Opened.on(recovered)
        #expect(texts(opened.records) == ["a", "b", "c", "d"])
        try opened.journal.append([record("e")])
        var again = recovered.currentImage
        let third = try #require(again.files.keys.compactMap(SegmentName.init).map(\.number).max())
        try again.damage("b", in: third)
        #expect(texts(try Journal.Opened.on(again).records) == ["a", "c", "d", "e"])
    }

    /// A segment without a readable header must not hide the segment before it, which still holds the
    /// numbers.
    @Test func numbersOfAnEmptyJournal_areNotReused_afterRepeatedDamage() throws {
        var image = try image { journal in
            for word in ["a", "b"] { try journal.append([record(word)]) }
            for _ in 0..<2 { try journal.compact(to: []) }
        }
        for segment in 3...4 as ClosedRange<UInt64> {
            image.files[SegmentName.segment(segment).text]?[20] ^= 1
            let disk = SimulatedDisk(image)
            let opened = try Journal.Opened.on(disk)
            if segment == 4 { #expect(try opened.journal.append([record("c")]).map(\.sequence) == [3]) }
            image = disk.currentImage
        }
    }

    /// The report names the numbers that neither segment has, including those between recovered ones.
    @Test func numbersMissingInBothSegments_areReported() throws {
        var image = try image { journal in
            for word in ["a", "b", "c", "d", "e"] { try journal.append([record(word)]) }
            try journal.compact(to: [record("A"), record("B")])
        }
        try image.damage("A", in: 2)
        for word in ["c", "d", "e"] { try image.damage(word, in: 1) }
        let report = try Journal.Opened.on(image).report
        #expect(report.damage.map(\.finding) == [.missingFromBase(count: 1), .missing(3...5)])
        // A rewritten segment contains the numbers of the one before.
        let (disk, journal) = try newJournal("a", "b", "c")
        disk.faults = [DiskFault(.worn, after: 1, count: 1)]
        try journal.append([record("d")])
        var anew = disk.imageAfterWorstCut
        try anew.damage("b", in: 2)
        for word in ["b", "c"] { try anew.damage(word, in: 1) }
        let opened = try Journal.Opened.on(anew)
        #expect(texts(opened.records) == ["a", "c", "d"])
        #expect(opened.report.damage.map(\.finding) == [.missingFromBase(count: 1), .missing(2...2)])
    }

    /// The fresh segment fails as well. The refused record must not return behind later records, which have
    /// just the length that would align them.
    @Test func refusedRecords_areNotRecovered_whenTheFreshSegmentFails() throws {
        let sector = String(repeating: "x", count: Sector.bytes - StoredRecord.headerBytes)
        for second in 0..<12 {
            let (disk, journal) = try newJournal("a")
            disk.faults = [DiskFault(.worn, after: 1, count: 1), DiskFault(.worn, after: second, count: 1)]
            var kept = 1
            do {
                try journal.append([record(sector), record("refused")])
                kept += 2
            } catch {
                #expect(disk.failureCount == 2, "\(error)")
            }
            disk.faults = []
            try journal.append([record(sector)])
            for image in [disk.currentImage, disk.imageAfterWorstCut] {
                #expect(try Journal.Opened.on(image).records.count == kept + 1, "\(second)")
            }
        }
    }

    /// The operation after a refused compaction.
    enum Sequel: CaseIterable {
        case append, compaction, compactionToNothing

        func happen(to journal: Journal) throws {
            switch self {
            case .append: try journal.append([record("c")])
            case .compaction: try journal.compact(to: [record("all"), record("rest")])
            case .compactionToNothing:
                try journal.compact(to: [])
                try journal.append([record("c")])
            }
        }

        var texts: [String] { self == .compaction ? ["a", "b"] : ["a", "b", "c"] }
    }

    /// The directory sync of a compaction fails, so it is refused. Its segment remains, and never receives
    /// an append.
    @Test(arguments: Sequel.allCases)
    func secondChance_isThePreviousSegment_notARefusedCompaction(sequel: Sequel) throws {
        let (disk, journal) = try newJournal("a", "b")
        disk.faults = [DiskFault(.worn, after: 6, count: 1)]
        #expect(throws: JournalError.self) { try journal.compact(to: [record("snapshot")]) }
        let refused = disk.currentImage
        #expect(refused.files.keys.sorted() == ["journal-000000000001", "journal-000000000002"])
        try sequel.happen(to: journal)
        var image = disk.currentImage
        image.files.merge(refused.files) { newer, _ in newer }
        guard sequel != .compactionToNothing else {
            image.files["journal-000000000003"]?[20] ^= 1
            #expect(texts(try Journal.Opened.on(image).records) == ["c"])
            return
        }
        // The base is damaged, and then the header as well: each record still names the segment that its
        // own segment follows.
        image.files["journal-000000000003"]?[Sector.bytes + 8] ^= 1
        #expect(texts(try Journal.Opened.on(image).records) == sequel.texts)
        image.files["journal-000000000003"]?[20] ^= 1
        #expect(texts(try Journal.Opened.on(image).records) == sequel.texts)
    }
}
