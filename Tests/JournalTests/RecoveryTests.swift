// What opening a journal says and does about directories that are not as they should be.

import Glibc
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct RecoveryTests {
    let newest = SegmentName.segment(2).text

    /// A journal with a second chance: a compaction after three records, and two records after that.
    func sample() throws -> DiskImage {
        try image { journal in
            for word in ["a", "b", "c"] { try journal.append([record(word)]) }
            try journal.compact(to: [record("abc")])
            try journal.append([record("d")])
            try journal.append([record("e")])
        }
    }

    @Test func damagedRecord_whenLaterOnesAreThere_isMissedByNumber() throws {
        var image = try sample()
        let offset = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "d")))
        image.files[newest]?[offset] ^= 1
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(words(opened.records) == ["abc", "e"])
        #expect(opened.report.damage.map(\.finding) == [.missing(5...5)])
        #expect(opened.report.damage[0].bytes.contains(offset))
        #expect(opened.report.setAside == ["\(newest).aside"])
        // The second chance is still the one that the damaged segment had.
        #expect(Set(try disk.names()) == ["journal-000000000001", "\(newest).aside", "journal-000000000003"])
        // It is said once; what is set aside stays.
        try opened.journal.append([record("f")])
        try opened.journal.compact(to: [record("abcef")])
        try opened.journal.compact(to: [record("abcef")])
        let again = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(!again.report.isDamaged)
        #expect(again.report.setAside == ["\(newest).aside"])
        #expect(words(again.records) == ["abcef"])
    }

    @Test func lastRecord_whenItIsTorn_isCutAndReported() throws {
        var image = try sample()
        let offset = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "e")))
        image.files[newest]?[offset] ^= 1
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["abc", "d"])
        #expect(!opened.report.isDamaged)
        #expect(opened.report.tornTail?.bytes.contains(offset) == true)
        #expect(try opened.journal.append([record("f")]).map(\.sequence) == [6])
    }

    @Test func damagedBase_isMadeGood_byTheSegmentBefore() throws {
        var image = try sample()
        let offset = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "a")))
        image.files[newest]?[offset] ^= 1
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["a", "b", "c", "d", "e"])
        #expect(opened.report.damage.map(\.finding) == [.missingFromBase(count: 1)])
        #expect(try opened.journal.append([record("f")]).map(\.sequence) == [7])
    }

    @Test func damagedHeader_losesNothing() throws {
        for first in [true, false] {
            var image = try sample()
            image.files[newest]?[20] ^= 1
            if first { image.files[SegmentName.segment(1).text] = nil }
            let opened = try Journal.Opened.on(image)
            #expect(words(opened.records) == (first ? ["abc", "d", "e"] : ["a", "b", "c", "d", "e"]))
            #expect(opened.report.damage.first?.finding == .header)
        }
    }

    @Test func damageInBoth_isSaidOfBoth() throws {
        var image = try sample()
        let older = SegmentName.segment(1).text
        let base = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "a")))
        image.files[newest]?[base] ^= 1
        let record = try #require(image.files[older]?.firstIndex(of: UInt8(ascii: "b")))
        image.files[older]?[record] ^= 1
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["a", "c", "d", "e"])
        #expect(opened.report.damage.map(\.finding) == [.missingFromBase(count: 1), .missing(2...2)])
    }

    @Test func refusedRecords_areNotFound_inTheSecondChance() throws {
        let disk = SimulatedDisk()
        let opened = try Journal.Opened.on(disk)
        try opened.journal.append([record("a")])
        // The sync fails when the record is in the file already, and everything after it until the append is refused.
        disk.faults = [DiskFault(.full, after: 1, count: 2)]
        #expect(throws: JournalError.self) { try opened.journal.append([record("refused")]) }
        try opened.journal.append([record("b")])
        var image = disk.currentImage
        let newest = try #require(image.files.keys.filter { SegmentName($0) != nil }.max())
        let base = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "a")))
        image.files[newest]?[base] ^= 1
        let again = try Journal.Opened.on(image)
        #expect(words(again.records) == ["a", "b"])
        #expect(again.report.damage.map(\.finding) == [.missingFromBase(count: 1)])
    }

    /// The fresh segment fails as well: what it did not keep must not come back behind what is kept later, which is of
    /// just the length that brings them together.
    @Test func refusedRecords_areNotFound_whenTheFreshSegmentFailsToo() throws {
        let sector = String(repeating: "x", count: Sector.bytes - StoredRecord.headerBytes)
        for second in 0..<12 {
            let disk = SimulatedDisk()
            let journal = try Journal.Opened.on(disk).journal
            try journal.append([record("a")])
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

    /// A compaction whose name may or may not last is refused, and leaves a segment that nothing was ever appended to.
    @Test func secondChance_isTheSegmentInUseBefore_notARefusedCompaction() throws {
        let disk = SimulatedDisk()
        let opened = try Journal.Opened.on(disk)
        for word in ["a", "b"] { try opened.journal.append([record(word)]) }
        disk.faults = [DiskFault(.worn, after: 6, count: 1)]
        #expect(throws: JournalError.self) { try opened.journal.compact(to: [record("snapshot")]) }
        let refused = disk.currentImage
        #expect(refused.files.keys.sorted() == ["journal-000000000001", "journal-000000000002"])
        try opened.journal.append([record("c")])
        var image = disk.currentImage
        let newest = "journal-000000000003"
        image.files.merge(refused.files) { newer, _ in newer }
        let base = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "a")))
        image.files[newest]?[base] ^= 1
        #expect(words(try Journal.Opened.on(image).records) == ["a", "b", "c"])
    }

    @Test func numbersOfADamagedBase_areNotUsedAgain() throws {
        for hasSecondChance in [true, false] {
            for damaged in ["header", "B"] {
                var image = try image { journal in
                    for word in ["a", "b", "c"] { try journal.append([record(word)]) }
                    try journal.compact(to: [record("A"), record("B")])
                }
                if !hasSecondChance { image.files[SegmentName.segment(1).text] = nil }
                let offset = damaged == "B" ? image.files[newest]?.firstIndex(of: UInt8(ascii: "B")) : 20
                image.files[newest]?[try #require(offset)] ^= 1
                let opened = try Journal.Opened.on(image)
                let rest = damaged == "B" ? ["A"] : ["A", "B"]
                #expect(words(opened.records) == (hasSecondChance ? ["a", "b", "c"] : rest))
                #expect(try opened.journal.append([record("d")]).map(\.sequence) == [6])
            }
        }
    }

    @Test func endOfTheSecondChance_whenItIsNeededAndDamaged_isMissed() throws {
        var image = try sample()
        for (number, word) in [(2, "a"), (1, "c")] as [(UInt64, Character)] {
            let name = SegmentName.segment(number).text
            let byte = try #require(word.asciiValue)
            let offset = try #require(image.files[name]?.firstIndex(of: byte))
            image.files[name]?[offset] ^= 1
        }
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["a", "b", "d", "e"])
        #expect(opened.report.damage.map(\.finding) == [.missingFromBase(count: 1), .missing(3...3)])
    }

    @Test func secondChance_whenItsOwnBaseIsDamaged_isNoChance() throws {
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.compact(to: [record("x"), record("y")])
            try journal.compact(to: [record("p"), record("q")])
            try journal.append([record("r")])
        }
        for (number, word) in [(2, "x"), (3, "p")] as [(UInt64, Character)] {
            let name = SegmentName.segment(number).text
            let byte = try #require(word.asciiValue)
            let offset = try #require(image.files[name]?.firstIndex(of: byte))
            image.files[name]?[offset] ^= 1
        }
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["q", "r"])
        #expect(opened.report.damage.map(\.finding) == [.missingFromBase(count: 1), .missingFromBase(count: 1)])
        #expect(Set(opened.report.damage.map(\.file)).count == 2)
    }

    /// What is missing before an unfinished append does not make the append before it unfinished.
    @Test func unfinishedAppend_behindAGap_takesNothingAlong() throws {
        let long = String(repeating: "x", count: 600)
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.append([record("b"), record("C" + long), record("D" + long)])
            try journal.append([record("e"), record("F" + long)])
        }
        let name = SegmentName.segment(1).text
        for word in ["C", "D", "F"] as [Character] {
            let byte = try #require(word.asciiValue)
            let offset = try #require(image.files[name]?.lastIndex(of: byte))
            image.files[name]?[offset] ^= 1
        }
        // What is whole of an append that is damaged in the middle was acknowledged: the next commit proves it.
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["a", "b"])
        #expect(opened.report.damage.map(\.finding) == [.missing(3...4)])
        #expect(opened.report.tornTail?.recordCount == 1)
    }

    @Test func damagedFile_isNeverRemoved_whateverFails() throws {
        var image = try sample()
        let offset = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "d")))
        image.files[newest]?[offset] ^= 1
        for kind in DiskFault.Kind.allCases {
            for after in 0..<20 {
                let disk = SimulatedDisk(image)
                disk.faults = [DiskFault(kind, after: after, count: 1)]
                do {
                    let opened = try Journal.Opened.on(disk)
                    try opened.journal.append([record("f")])
                    try opened.journal.compact(to: [record("F")])
                    try opened.journal.compact(to: [record("G")])
                } catch {
                    #expect(disk.hasFailed, "\(error)")
                }
                #expect(disk.currentImage.files.values.contains { $0 == image.files[newest] }, "\(kind) \(after)")
            }
        }
    }

    /// A damaged file that cannot be set aside is remembered by every segment that comes after it.
    @Test func damage_isSaidUntilItsFileIsSetAside_whateverFails() throws {
        var image = try sample()
        let offset = try #require(image.files[newest]?.firstIndex(of: UInt8(ascii: "d")))
        image.files[newest]?[offset] ^= 1
        for first in 0..<12 {
            for second in 0..<12 {
                let disk = SimulatedDisk(image)
                var journal: Journal?
                for (step, after) in [first, second].enumerated() {
                    disk.faults = [DiskFault(.readOnly, after: after, count: 1)]
                    do {
                        let current = try journal ?? Journal.Opened.on(disk).journal
                        journal = current
                        if step == 1 { try current.compact(to: [record("all")]) }
                    } catch {
                        #expect(disk.hasFailed, "\(error)")
                    }
                }
                for image in [disk.currentImage, disk.imageAfterWorstCut] {
                    let report = try Journal.Opened.on(image).report
                    #expect(report.isDamaged || !report.setAside.isEmpty, "\(first), \(second)")
                }
            }
        }
    }

    @Test func numberOfAFileThatWasSetAside_isNotUsedAgain() throws {
        var image = try sample()
        image.files["journal-000000000009.aside"] = [1]
        let disk = SimulatedDisk(image)
        try Journal.Opened.on(disk).journal.compact(to: [])
        #expect(Set(try disk.names()) == [newest, "journal-000000000009.aside", "journal-000000000010"])
    }

    @Test func unfinishedFiles_areRemoved() throws {
        var image = try sample()
        image.files["journal-000000000007.new"] = [1]
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(Set(try disk.names()) == ["journal-000000000001", newest])
        // A compaction for which there is no room leaves nothing behind.
        disk.faults = [DiskFault(.full, after: 2, count: 1)]
        #expect(throws: JournalError.self) { try opened.journal.compact(to: []) }
        #expect(Set(try disk.names()) == ["journal-000000000001", newest])
    }

    /// A rename that was cut off can leave two names of one file on some file systems: then neither is removed.
    @Test func unfinishedFile_whoseSegmentIsThere_isLeftAlone() throws {
        var image = try sample()
        image.files["\(newest).new"] = image.files[newest]
        let disk = SimulatedDisk(image)
        try Journal.Opened.on(disk).journal.append([record("f")])
        #expect(Set(try disk.names()) == ["journal-000000000001", newest, "\(newest).new"])
    }

    @Test func failuresThatDidNoHarm_areTold() throws {
        let disk = SimulatedDisk(try sample())
        let journal = try Journal.Opened.on(disk).journal
        #expect(journal.lastFailure == nil)
        disk.faults = [DiskFault(.worn, after: 1, count: 1)]
        try journal.append([record("f")])
        #expect(journal.lastFailure == DiskError(.sync, newest, .system(EIO)))
        // The oldest of three segments cannot be removed.
        disk.faults = [DiskFault(.readOnly, after: 5, count: 1)]
        try journal.compact(to: [record("all")])
        #expect(journal.lastFailure == DiskError(.remove, newest, .system(EROFS)))
    }

    @Test func file_whenItIsCutBetweenRecords_isDamaged() throws {
        var image = try image { journal in
            for _ in 0..<20 { try journal.append([record(String(repeating: "x", count: 400))]) }
        }
        image.files["journal-000000000001"]?.removeSubrange((512 * 11)...)
        let opened = try Journal.Opened.on(image)
        #expect(opened.records.count == 10)
        #expect(opened.report.damage.map(\.finding) == [.cutShort])
    }

    @Test func unreadableSector_isDamage_andWhatIsBehindIsRead() throws {
        let image = try image { journal in
            for _ in 0..<20 { try journal.append([record(String(repeating: "x", count: 88))]) }
        }
        let disk = SimulatedDisk(image)
        disk.unreadable[SegmentName.segment(1).text] = 1024..<1025
        let opened = try Journal.Opened.on(disk)
        #expect(opened.records.map(\.sequence) == [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
        #expect(opened.report.damage.first?.finding == .missing(2...2))
        #expect(opened.report.damage.last?.bytes == 1024..<1536)
    }

    /// Whichever sector cannot be read: what the others hold is there, and what is missing is said.
    @Test(arguments: [true, false])
    func eachSector_whenItIsUnreadable(hasSecondChance: Bool) throws {
        var image = try sample()
        if !hasSecondChance { image.files[SegmentName.segment(1).text] = nil }
        let size = try #require(image.files[newest]?.count)
        for sector in stride(from: 0, to: size, by: Sector.bytes) {
            let disk = SimulatedDisk(image)
            disk.unreadable[newest] = sector..<sector + Sector.bytes
            let opened = try Journal.Opened.on(disk)
            #expect(opened.report.damage.contains { $0.bytes == sector..<sector + Sector.bytes })
            let found = words(opened.records)
            switch sector / Sector.bytes {
            case 0: #expect(found == (hasSecondChance ? ["a", "b", "c"] : ["abc"]) + ["d", "e"])
            case 1: #expect(found == (hasSecondChance ? ["a", "b", "c"] : []) + ["d", "e"])
            case 2: #expect(found == ["abc", "e"])
            case 3: #expect(found == ["abc", "d"])
            default: #expect(found == ["abc", "d", "e"])
            }
            #expect(opened.report.setAside == [SegmentName.setAside(2).text])
        }
    }

    @Test func baseAndAll_whenTheyAreUnreadable_areMadeGood() throws {
        let image = try image { journal in
            for word in ["a", "b", "c"] { try journal.append([record(word)]) }
            try journal.compact(to: [record("abc")])
        }
        for range in [Sector.bytes..<Sector.bytes + 1, 0..<100_000] {
            let disk = SimulatedDisk(image)
            disk.unreadable[newest] = range
            let opened = try Journal.Opened.on(disk)
            #expect(words(opened.records) == ["a", "b", "c"])
            #expect(opened.report.isDamaged)
        }
        let disk = SimulatedDisk(image)
        for name in image.files.keys { disk.unreadable[name] = 0..<100_000 }
        #expect(throws: JournalError.self) { try Journal.Opened.on(disk) }
        #expect(disk.currentImage == image)
    }

    @Test func journalWithoutRecords_andWithABadSector_isGoneOnWith() throws {
        let disk = SimulatedDisk(try image { _ in })
        disk.unreadable[SegmentName.segment(1).text] = 1024..<1025
        let opened = try Journal.Opened.on(disk)
        #expect(opened.records.isEmpty)
        #expect(opened.report.damage.map(\.bytes) == [1024..<1536])
        try opened.journal.append([record("a")])
        #expect(words(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["a"])
    }

    @Test func unreadableJournal_isAnError_neverEmpty() throws {
        let disk = SimulatedDisk(try sample())
        for after in 0..<4 {
            disk.faults = [DiskFault(.broken, after: after, count: .max)]
            #expect(throws: JournalError.self) { try Journal.Opened.on(disk) }
        }
        disk.faults = []
        #expect(try Journal.Opened.on(disk).records.count == 3)
    }

    @Test func newerFormat_isRefused_andNothingIsChanged() throws {
        var image = try sample()
        var sector = Array(try #require(image.files[newest]?.prefix(508)))
        sector[8] = 2
        var checksum = CRC32C()
        sector.withUnsafeBytes { checksum.add($0) }
        sector.append(number: checksum.value)
        image.files[newest]?.replaceSubrange(0..<512, with: sector)
        let disk = SimulatedDisk(image)
        #expect(throws: JournalError.newerFormat(file: newest, version: 2)) { try Journal.Opened.on(disk) }
        #expect(disk.currentImage == image)
    }

    @Test func readOnlyDisk_isRead_andSaysThatItCannotBeWritten() throws {
        let disk = SimulatedDisk(try sample())
        disk.faults = [DiskFault(.readOnly, after: 0, count: .max)]
        let opened = try Journal.Opened.on(disk)
        #expect(words(opened.records) == ["abc", "d", "e"])
        #expect(opened.report.cannotWrite?.reason == .system(EROFS))
        #expect(throws: JournalError.self) { try opened.journal.append([record("f")]) }
        disk.faults = []
        try opened.journal.append([record("g")])
        #expect(words(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["abc", "d", "e", "g"])
    }

    @Test func setAsideFiles_whenThereIsNothingElse_areNoFirstStart() throws {
        let image = DiskImage(files: ["journal-000000000004.aside": [1, 2, 3]])
        let opened = try Journal.Opened.on(image)
        #expect(!opened.report.isFirstStart)
        #expect(opened.report.damage.map(\.finding) == [.nothingLeft])
    }

    @Test func strangersFiles_areLeftAlone() throws {
        var image = try sample()
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
