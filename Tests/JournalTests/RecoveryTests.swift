// The tests of opening a damaged journal: the report, the recovered records, and the files set aside.

import Glibc
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct RecoveryTests {
    let newest = SegmentName.segment(2).text

    @Test func damagedRecord_beforeLaterOnes_isReportedByNumber() throws {
        var image = try imageWithSecondChance()
        let offset = try image.offset(of: "d", in: 2)
        image.files[newest]?[offset] ^= 1
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(texts(opened.records) == ["abc", "e"])
        #expect(opened.report.damage.map(\.finding) == [.missing(5...5)])
        #expect(opened.report.damage[0].bytes.contains(offset))
        #expect(opened.report.setAside == ["\(newest).aside"])
        // The second chance is still the one of the damaged segment.
        #expect(Set(try disk.names()) == ["journal-000000000001", "\(newest).aside", "journal-000000000003"])
        // The damage is reported once. The file stays set aside.
        try opened.journal.append([record("f")])
        try opened.journal.compact(to: [record("abcef")])
        try opened.journal.compact(to: [record("abcef")])
        let again = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(!again.report.isDamaged)
        #expect(again.report.setAside == ["\(newest).aside"])
        #expect(texts(again.records) == ["abcef"])
    }

    @Test func numbersOfADamagedBase_areNotUsedAgain() throws {
        for hasSecondChance in [true, false] {
            for damaged in ["header", "B"] {
                var image = try image { journal in
                    for word in ["a", "b", "c"] { try journal.append([record(word)]) }
                    try journal.compact(to: [record("A"), record("B")])
                }
                if !hasSecondChance { image.files[SegmentName.segment(1).text] = nil }
                let offset = damaged == "B" ? try image.offset(of: "B", in: 2) : 20
                image.files[newest]?[offset] ^= 1
                let opened = try Journal.Opened.on(image)
                let rest = damaged == "B" ? ["A"] : ["A", "B"]
                #expect(texts(opened.records) == (hasSecondChance && damaged == "B" ? ["a", "b", "c"] : rest))
                #expect(try opened.journal.append([record("d")]).map(\.sequence) == [6])
            }
        }
    }

    /// A recovered journal follows an older segment than the damaged one. If it is damaged again, the
    /// records of its base must still be read.
    @Test(arguments: ["header", "d"]) func recoveredJournal_damagedOnceMore_keepsItsReadableRecords(what: String) throws
    {
        let (disk, journal) = try newJournal("a", "b", "c")
        try journal.compact(to: [record("abc")])
        for word in ["d", "e", "f"] { try journal.append([record(word)]) }
        var image = disk.imageAfterWorstCut
        try image.damage("e", in: 2)
        let recovered = SimulatedDisk(image)
        let opened = try Journal.Opened.on(recovered)
        #expect(texts(opened.records) == ["abc", "d", "f"])
        try opened.journal.append([record("g")])
        var again = recovered.imageAfterWorstCut
        if what == "header" {
            again.files[SegmentName.segment(3).text]?[20] ^= 1
            #expect(texts(try Journal.Opened.on(again).records) == ["abc", "d", "f", "g"])
        } else {
            try again.damage(what, in: 3)
            #expect(texts(try Journal.Opened.on(again).records) == ["a", "b", "c", "abc", "f", "g"])
        }
    }

    /// The garbage looks like a length of a record at each position, so the search must not check
    /// each one to its end.
    @Test(.timeLimit(.minutes(1)), arguments: [60_000, 1_000_000] as [UInt64])
    func garbageThatLooksLikeLengths_isSearchedQuickly(number: UInt64) throws {
        var image = try image { try $0.append([record("a")]) }
        var garbage: [UInt8] = []
        for _ in 0..<1 << 17 { garbage.append(number: number) }
        image.files[SegmentName.segment(1).text]?.replaceSubrange(1024..., with: garbage)
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == ["a"])
        // Sectors that recovery did not read must not be overwritten.
        #expect(opened.report.damage.map(\.finding) == [.garbage])
        #expect(opened.report.setAside == [SegmentName.setAside(1).text])
    }

    /// A page of the file system's own data lies between long records.
    @Test func longRecords_afterGarbage_areFound() throws {
        func long(_ word: String) -> NewRecord { record(word + String(repeating: "x", count: 1200)) }
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.append([record("b" + String(repeating: "x", count: 4000))])
            for index in 0..<50 { try journal.append([long("\(index) ")]) }
        }
        let start = try image.offset(of: "b", in: 1) / Sector.bytes * Sector.bytes
        let blocks = (0..<1024).flatMap { index in withUnsafeBytes(of: UInt32(150_000 + index)) { Array($0) } }
        image.files[SegmentName.segment(1).text]?.replaceSubrange(start..<start + 4096, with: blocks)
        let opened = try Journal.Opened.on(image)
        #expect(opened.records.map(\.sequence) == [1] + Array(3...52))
        #expect(opened.report.damage.map(\.finding) == [.missing(2...2)])
    }

    /// A record is damaged, and a power cut tore the append after it, which was never acknowledged.
    @Test func tornAppend_afterDamage_doesNotCount() throws {
        for hasHeader in [true, false] {
            var image = try image { journal in
                try journal.append([record("a")])
                try journal.append([record("b")])
                try journal.append([record("off" + String(repeating: "x", count: 600)), record("on")])
            }
            try image.damage("b", in: 1)
            try image.damage("off", in: 1)
            if !hasHeader { image.files[SegmentName.segment(1).text]?[20] ^= 1 }
            let opened = try Journal.Opened.on(image)
            #expect(texts(opened.records) == ["a"], "\(hasHeader)")
            #expect(opened.report.damage.contains { $0.finding == .missing(2...2) })
            #expect(opened.report.tornTail?.recordCount == 1)
            // A number that was reported missing is not used again.
            #expect(try opened.journal.append([record("c")]).map(\.sequence) == [3])
        }
    }

    /// Each gap is proven by the records after it.
    @Test func everyOtherRecord_damaged_isReportedAsMissing() throws {
        var image = try image { journal in
            for index in 0..<8 { try journal.append([record("\(index) ")]) }
        }
        for index in [1, 3, 5] { try image.damage("\(index) ", in: 1) }
        let opened = try Journal.Opened.on(image)
        #expect(opened.records.map(\.sequence) == [1, 3, 5, 7, 8])
        #expect(opened.report.damage.map(\.finding) == [.missing(2...2), .missing(4...4), .missing(6...6)])
    }

    /// A journal whose next number is out of range must refuse an append, rather than acknowledge it and
    /// lose it.
    @Test(arguments: ["journal-999999999998.new", "journal-999999999999.new", "journal-999999999999.aside"])
    func journalWithTheLargestNumber_losesNoAcknowledgedRecord(name: String) throws {
        let disk = SimulatedDisk(DiskImage(files: [name: []]))
        do {
            try Journal.Opened.on(disk).journal.append([record("a")])
        } catch {
            #expect("\(error)".contains("Value too large"))
            return
        }
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["a"])
    }

    /// A gap before an unfinished append must not make the append before the gap count as unfinished.
    @Test func unfinishedAppend_afterAGap_removesNoEarlierAppend() throws {
        let long = String(repeating: "x", count: 600)
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.append([record("b"), record("C" + long), record("D" + long)])
            try journal.append([record("e"), record("F" + long)])
        }
        for word in ["C", "D", "F"] { try image.damage(word, in: 1) }
        // The append with the gap was acknowledged, as the commit after it proves.
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == ["a", "b"])
        #expect(opened.report.damage.map(\.finding) == [.missing(3...4)])
        #expect(opened.report.tornTail?.recordCount == 1)
    }

    @Test func fileCutBetweenRecords_isDamaged() throws {
        var image = try image { journal in
            for _ in 0..<20 { try journal.append([record(String(repeating: "x", count: 400))]) }
        }
        image.files["journal-000000000001"]?.removeSubrange((512 * 11)...)
        let opened = try Journal.Opened.on(image)
        #expect(opened.records.count == 10)
        #expect(opened.report.damage.map(\.finding) == [.cutShort])
    }

    @Test(arguments: [1, 3]) func otherFormat_isRefused_withoutAChange(version: UInt8) throws {
        var image = try imageWithSecondChance()
        var sector = Array(try #require(image.files[newest]?.prefix(508)))
        sector[8] = version
        var checksum = CRC32C()
        sector.withUnsafeBytes { checksum.add($0) }
        sector.append(number: checksum.value)
        image.files[newest]?.replaceSubrange(0..<512, with: sector)
        let disk = SimulatedDisk(image)
        #expect(throws: JournalError.otherFormat(file: newest, version: UInt32(version))) {
            try Journal.Opened.on(disk)
        }
        #expect(disk.currentImage == image)
    }

    @Test func readOnlyDisk_isRead_andReportedAsNotWritable() throws {
        let disk = SimulatedDisk(try imageWithSecondChance())
        disk.faults = [DiskFault(.readOnly, after: 0, count: .max)]
        let opened = try Journal.Opened.on(disk)
        #expect(texts(opened.records) == ["abc", "d", "e"])
        #expect(opened.report.cannotWrite?.reason == .system(EROFS))
        #expect(throws: JournalError.self) { try opened.journal.append([record("f")]) }
        disk.faults = []
        try opened.journal.append([record("g")])
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["abc", "d", "e", "g"])
    }

    @Test func setAsideFilesAlone_areNotAFirstStart() throws {
        let image = DiskImage(files: ["journal-000000000004.aside": [1, 2, 3]])
        let opened = try Journal.Opened.on(image)
        #expect(opened.report.damage.map(\.finding) == [.nothingLeft])
    }

    @Test func unknownFiles_areLeftAlone() throws {
        var image = try imageWithSecondChance()
        image.files["journal-7"] = [1]
        image.files["journal-000000000009.old"] = [2]
        image.files["notes.txt"] = [3]
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        try opened.journal.compact(to: [])
        #expect(!opened.report.isDamaged)
        for name in ["journal-7", "journal-000000000009.old", "notes.txt"] {
            #expect(disk.currentImage.files[name] == image.files[name])
        }
    }
}
