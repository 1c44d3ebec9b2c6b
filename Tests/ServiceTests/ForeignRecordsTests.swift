// The test that a service keeps records of a newer version.

import Alarms
import Engine
import Fixtures
import Journal
import Oracles
import Testing

@testable import Service

@Suite struct ForeignRecordsTests {
    /// The test saves enough that the journal is compacted.
    @Test func unknownRecords_surviveCompaction() async throws {
        let scratch = try Scratch()
        let foreign = NewRecord(RecordKind(rawValue: 999), millisecondsSince1970: 1, payload: Array("precious".utf8))
        do {
            let journal = try Journal.open(try LinuxDisk(directory: scratch.path)).journal
            try journal.append([foreign])
            journal.close()
        }
        let saveCount = 60
        for round in 1...2 {
            let fixture = try ServiceFixture(directory: scratch.path)
            #expect(await fixture.service.warnings.count == 1)
            await fixture.start()
            var alarm = Alarm.daily("work", "07:00")
            alarm.unknown = [.init("more", .string(String(repeating: "x", count: 15_000)))]
            for count in 1...saveCount {
                alarm.label = "\(round).\(count)"
                #expect(await fixture.ask(.save(alarm), alarm.label).isDone)
            }
            await fixture.end()
            let recoveredJournal = try RecoveredJournal(openingOn: try LinuxDisk(directory: scratch.path))
            #expect(recoveredJournal.entries.count < saveCount, "it was never compacted")
            #expect(recoveredJournal.store.foreign == [foreign])
            try await recoveredJournal.store.writer.close()
        }
    }
}
