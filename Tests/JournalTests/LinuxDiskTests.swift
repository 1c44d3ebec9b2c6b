// The journal on a real file system.

import Glibc
import Journal
import Oracles
import Testing

@Suite struct LinuxDiskTests {
    let folder: Scratch

    init() throws {
        folder = try Scratch()
    }

    func disk() throws -> LinuxDisk { try LinuxDisk(directory: folder.path) }

    @Test func journal_isThereAgain_whenItIsOpenedAgain() throws {
        let opened = try Journal.open(try disk())
        #expect(opened.report.isFirstStart)
        try opened.journal.append([record("a")])
        try opened.journal.compact(to: [record("A")])
        try opened.journal.append([record("b"), record("c")])
        opened.journal.close()
        let again = try Journal.open(try disk())
        #expect(words(again.records) == ["A", "b", "c"])
        #expect(!again.report.isDamaged && again.report.tornTail == nil)
    }

    @Test func open_whenItIsOpenAlready_saysByWhom() throws {
        let first = try Journal.open(try disk())
        do {
            _ = try Journal.open(try disk())
            Issue.record("it was opened twice")
        } catch let error as JournalError {
            guard case .inUse(let holder) = error else { throw error }
            // In some containers the kernel does not tell.
            if let holder { #expect(holder.processID == getpid()) }
        }
        first.journal.close()
        #expect(throws: Never.self) { try Journal.open(try disk()) }
    }

    @Test func directory_whenItIsMissing_isAnError() {
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
