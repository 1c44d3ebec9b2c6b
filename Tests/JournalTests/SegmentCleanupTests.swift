// The tests of files that the journal no longer needs: removed, or set aside for a person to inspect.

import Glibc
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct SegmentCleanupTests {
    let newest = SegmentName.segment(2).text

    @Test func damagedFile_isNotRemoved_whenAnyOperationFails() throws {
        var image = try imageWithSecondChance()
        try image.damage("d", in: 2)
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

    /// If damaged files cannot be set aside, every later segment records them until they are.
    @Test(arguments: DamagedFiles.allCases)
    func damage_isReported_untilItsFileIsSetAside(files: DamagedFiles) throws {
        let image = try files.image()
        for first in 0..<14 {
            for second in 0..<14 {
                let disk = SimulatedDisk(image)
                var journal: Journal?
                for (step, after) in [first, second].enumerated() {
                    disk.faults = [DiskFault(.readOnly, after: after, count: files.numbers.count)]
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
                    for number in files.numbers {
                        let isSaid = report.damage.contains { $0.file == SegmentName.segment(number).text }
                        let isKept = report.setAside.contains(SegmentName.setAside(number).text)
                        #expect(isSaid || isKept, "\(number) after \(first), \(second)")
                    }
                }
            }
        }
    }

    enum DamagedFiles: CaseIterable {
        case newest, both

        var numbers: [UInt64] { self == .newest ? [2] : [1, 2] }

        func image() throws -> DiskImage {
            var image = try imageWithSecondChance()
            switch self {
            case .newest: try image.damage("d", in: 2)
            case .both:
                try image.damage("abc", in: 2)
                try image.damage("b", in: 1)
            }
            return image
        }
    }

    /// A failing card may damage records at every start. The files set aside as evidence must not fill it.
    @Test func setAsideFiles_haveALimit() throws {
        let disk = SimulatedDisk()
        for round in 0..<20 {
            let journal = try Journal.Opened.on(disk).journal
            for word in ["x", "y"] { try journal.append([record("\(word)\(round)")]) }
            journal.close()
            let newest = try #require(try disk.names().compactMap(SegmentName.init).map(\.number).max())
            let offset = try disk.currentImage.offset(of: "x\(round)", in: newest)
            let file = try disk.open(SegmentName.segment(newest).text, for: .writing)
            try file.writeWhole([0x3F], at: offset, of: "")
            try file.sync()
        }
        let opened = try Journal.Opened.on(disk)
        #expect(texts(opened.records) == (0..<20).map { "y\($0)" })
        #expect(opened.report.setAside.count <= 9)
        #expect(opened.report.setAside.first == SegmentName.setAside(1).text)
        #expect(opened.report.isDamaged)
    }

    @Test func numberOfASetAsideFile_isNotReused() throws {
        var image = try imageWithSecondChance()
        image.files["journal-000000000009.aside"] = [1]
        let disk = SimulatedDisk(image)
        try Journal.Opened.on(disk).journal.compact(to: [])
        #expect(Set(try disk.names()) == [newest, "journal-000000000009.aside", "journal-000000000010"])
    }

    @Test func unfinishedFiles_areRemoved() throws {
        var image = try imageWithSecondChance()
        image.files["journal-000000000007.new"] = [1]
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(Set(try disk.names()) == ["journal-000000000001", newest])
        // If the disk is full, a compaction leaves no file behind.
        disk.faults = [DiskFault(.full, after: 2, count: 1)]
        #expect(throws: JournalError.self) { try opened.journal.compact(to: []) }
        #expect(Set(try disk.names()) == ["journal-000000000001", newest])
    }

    /// On some file systems an interrupted rename leaves two names for one file. Then neither may be
    /// removed.
    @Test func unfinishedFile_besideItsSegment_isLeftAlone() throws {
        var image = try imageWithSecondChance()
        image.files["\(newest).new"] = image.files[newest]
        let disk = SimulatedDisk(image)
        try Journal.Opened.on(disk).journal.append([record("f")])
        #expect(Set(try disk.names()) == ["journal-000000000001", newest, "\(newest).new"])
    }

    @Test func harmlessFailures_areReported() throws {
        let disk = SimulatedDisk(try imageWithSecondChance())
        let journal = try Journal.Opened.on(disk).journal
        #expect(journal.lastFailure == nil)
        disk.faults = [DiskFault(.worn, after: 1, count: 1)]
        try journal.append([record("f")])
        #expect(journal.lastFailure == DiskError(.sync, newest, .system(EIO)))
        disk.faults = [DiskFault(.readOnly, after: 5, count: 1)]
        try journal.compact(to: [record("all")])
        #expect(journal.lastFailure == DiskError(.remove, newest, .system(EROFS)))
    }

    @Test func segmentThatCannotBeContinued_isReported() throws {
        let disk = SimulatedDisk(try imageWithSecondChance())
        disk.faults = [DiskFault(.worn, after: 0, count: 1)]
        let opened = try Journal.Opened.on(disk)
        #expect(opened.report.cannotWrite == nil)
        #expect(opened.journal.lastFailure == DiskError(.write, newest, .system(EIO)))
    }

    @Test func compactionWithoutADurableName_isRefused_andReported() throws {
        for (after, operation, name) in [
            (5, DiskError.Operation.rename, "journal-000000000003.new"), (6, .sync, "the directory"),
        ] {
            let disk = SimulatedDisk(try imageWithSecondChance())
            let journal = try Journal.Opened.on(disk).journal
            let failure = DiskError(operation, name, .system(EIO))
            disk.faults = [DiskFault(.worn, after: after, count: 1)]
            #expect(throws: JournalError.writeFailed(failure)) { try journal.compact(to: [record("all")]) }
            #expect(journal.lastFailure == failure)
        }
    }
}
