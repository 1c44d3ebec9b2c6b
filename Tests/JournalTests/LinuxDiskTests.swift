// The tests of the journal on a real file system.

import Foundation
import Oracles
import Testing

@testable import Journal

@Suite struct LinuxDiskTests {
    let folder: Scratch

    init() throws {
        folder = try Scratch()
    }

    func disk() throws -> LinuxDisk { try LinuxDisk(directory: folder.path) }

    @Test func disk_isVolatile_ifItIsInMemory() throws {
        #expect(try LinuxDisk(directory: "/dev/shm").isVolatile)
        #expect(try !LinuxDisk(directory: "/proc").isVolatile)
    }

    @Test func reopenedJournal_hasItsRecords() throws {
        let opened = try Journal.open(try disk())
        #expect(opened.records.isEmpty)
        try opened.journal.append([record("a")])
        try opened.journal.compact(to: [record("A")])
        try opened.journal.append([record("b"), record("c")])
        opened.journal.close()
        let again = try Journal.open(try disk())
        #expect(texts(again.records) == ["A", "b", "c"])
        #expect(!again.report.isDamaged && again.report.tornTail == nil)
    }

    /// A commit to a deleted file would be acknowledged, and a restart would not find it.
    @Test(arguments: [false, true]) func deletedFiles_areWrittenAgain(isProbed: Bool) throws {
        let opened = try Journal.open(try disk())
        try opened.journal.append([record("a")])
        try opened.journal.compact(to: [record("A")])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.isEmpty)
        for name in names { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
        if isProbed { try opened.journal.probe() } else { try opened.journal.append([record("b")]) }
        #expect(opened.journal.lastFailure?.reason == .deleted)
        #expect(opened.journal.lastFailure?.isSignOfWear == false)
        opened.journal.close()
        let again = try Journal.open(try disk())
        #expect(texts(again.records) == (isProbed ? ["A"] : ["A", "b"]))
        #expect(!again.report.isDamaged && again.report.tornTail == nil)
    }

    @Test func open_whenTheJournalIsOpen_namesTheHolder() throws {
        let first = try Journal.open(try disk())
        do {
            _ = try Journal.open(try disk())
            Issue.record("it was opened twice")
        } catch let error as JournalError {
            guard case .inUse(let holder) = error else { throw error }
            // In some containers the kernel does not name the holder.
            if let holder { #expect(holder.processID == getpid()) }
        }
        first.journal.close()
        #expect(throws: Never.self) { try Journal.open(try disk()) }
    }

    @Test func open_whenTheSameDiskIsOpenAlready_isRefused() throws {
        let disk = try disk()
        let first = try Journal.open(disk)
        #expect(throws: JournalError.self) { try Journal.open(disk) }
        first.journal.close()
        let second = try Journal.open(disk)
        try second.journal.append([record("a")])
    }

    @Test func open_whenAnotherProcessHasIt_isRefused() throws {
        let appender = try RunningAppender(folder.path)
        do {
            _ = try Journal.open(try disk())
            Issue.record("it was opened by two processes")
        } catch let error as JournalError {
            guard case .inUse(let holder) = error else { throw error }
            if let holder { #expect(holder == LockHolder(processID: appender.processID, program: "appender")) }
        }
    }

    /// An owner may kill the named process, so a wrong name would end an unrelated one.
    @Test func holderOfALock_isTheRightProcess() {
        var status = stat()
        (status.st_dev, status.st_ino) = (0xB302, 22)
        func holder(_ lines: String...) -> Int32? { LockHolder.holder(of: status, in: lines.map { $0[...] }) }
        let ours = "1: FLOCK  ADVISORY  WRITE 417 b3:02:22 0 EOF"
        let other = "2: FLOCK  ADVISORY  WRITE 500 00:16:22 0 EOF"
        #expect(holder(other, ours) == 417)
        #expect(
            holder("3: POSIX  ADVISORY  WRITE 9 b3:02:22 0 EOF", "4: FLOCK  ADVISORY  WRITE 8 b3:02:2 0 EOF") == nil)
        // Some file systems report another device number there.
        #expect(holder(other) == 500)
        #expect(holder(other, "5: FLOCK  ADVISORY  WRITE 600 00:17:22 0 EOF") == nil)
        // In a container the holder's number may be 0.
        #expect(holder("6: FLOCK  ADVISORY  WRITE 0 b3:02:22 0 EOF") == nil)
    }

    @Test func newFile_replacesNoOtherFile() throws {
        let disk = try disk()
        _ = try disk.open("there", for: .creating)
        #expect(throws: DiskError(.create, "there", .system(EEXIST))) { try disk.open("there", for: .creating) }
        #expect(symlink("there", "\(folder.path)/link") == 0)
        for access in [DiskAccess.reading, .writing] {
            #expect(throws: DiskError(.open, "link", .system(ELOOP))) { try disk.open("link", for: access) }
        }
        #expect(throws: DiskError(.create, "link", .system(EEXIST))) { try disk.open("link", for: .creating) }
    }

    @Test func bytes_areReadAsWritten_alignedOrNot() throws {
        let disk = try disk()
        let file = try disk.open("file", for: .creating)
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // Direct, buffered and direct again, over parts of the same bytes.
        for range in [0..<512, 512..<612, 612..<40_000, 1024..<2048, 100..<200, 16_384..<16_384 + 16_384] {
            #expect(try file.write(Array(bytes[range]), at: range.lowerBound) == range.count)
        }
        #expect(try file.read(50_000, at: 0) == bytes)
        #expect(try file.size() == bytes.count)
    }

    @Test func call_isRepeated_whenASignalInterruptsIt() {
        var answers = [-1, -1, 7]
        let answer = retrying { () -> Int in
            errno = EINTR
            return answers.removeFirst()
        }
        #expect(answer == 7)
        errno = EIO
        #expect(retrying { -1 } == -1)
    }

    @Test func missingDirectory_isAnError() {
        let missing = "\(folder.path)/none"
        #expect(throws: DiskError(.open, missing, .system(ENOENT))) { try LinuxDisk(directory: missing) }
    }

    @Test func segment_whenItIsAPipe_isAnError() throws {
        #expect(mkfifo("\(folder.path)/journal-000000000001", 0o600) == 0)
        #expect(throws: JournalError.unreadable(DiskError(.open, "journal-000000000001", .notAFile))) {
            try Journal.open(try disk())
        }
    }
}
