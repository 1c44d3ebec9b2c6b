// The test that inspects a journal while another process appends to it.

import Foundation
import Oracles
import Testing

@testable import Journal

@Suite struct BusyJournalTests {
    /// The file grows during the read. Bytes behind its size at the start are not missing data.
    @Test func journal_thatGrowsMeanwhile_isNotDamaged() throws {
        let scratch = try Scratch()
        // The appender writes a line when the journal is long enough for a slow read.
        let appender = try RunningAppender(scratch.path, "grow")
        for _ in 0..<6 {
            let inspection = try Inspection(journalOn: try LinuxDisk(directory: scratch.path))
            #expect(inspection.damage.isEmpty, "\(inspection.damage)")
            // The inspection of a single file reads it only once.
            let file = try Inspection(file: SegmentName.segment(1).text, on: try LinuxDisk(directory: scratch.path))
            #expect(!file.damage.contains { $0.finding == .cutShort })
        }
        withExtendedLifetime(appender) {}
    }
}
