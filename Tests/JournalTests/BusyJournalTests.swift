// Looking at a journal while another process is busy appending to it.

import Foundation
import Oracles
import Testing

@testable import Journal

@Suite struct BusyJournalTests {
    /// The file grows while it is read: what comes behind where it ended is nothing that is missing.
    @Test func journal_thatGrowsMeanwhile_isNotDamaged() throws {
        let scratch = try Scratch()
        // It says something once the journal is long enough to take a while.
        let appender = try RunningAppender(scratch.path, "grow")
        for _ in 0..<6 {
            let inspection = try Inspection(journalOn: try LinuxDisk(directory: scratch.path))
            #expect(inspection.damage.isEmpty, "\(inspection.damage)")
            // A single file is looked at once.
            let file = try Inspection(file: SegmentName.segment(1).text, on: try LinuxDisk(directory: scratch.path))
            #expect(!file.damage.contains { $0.finding == .cutShort })
        }
        withExtendedLifetime(appender) {}
    }
}
