// What a newer Rooster has written is not this one's to throw away.

import Alarms
import Engine
import Journal
import Oracles
import Testing

@testable import Service

@Suite struct ForeignRecordsTests {
    @Test func recordsThatAreNotUnderstood_outliveCompaction() async throws {
        let scratch = try Scratch()
        let foreign = NewRecord(RecordKind(rawValue: 999), millisecondsSince1970: 1, payload: Array("precious".utf8))
        let setting = Entry(millisecondsSince1970: 2, .alarmDeleted("nobody"))
        do {
            let journal = try Journal.open(try LinuxDisk(directory: scratch.path)).journal
            try journal.append([NewRecord(setting), foreign])
            journal.close()
        }
        for _ in 0..<2 {
            let recollection = try Recollection(openingOn: try LinuxDisk(directory: scratch.path))
            #expect(recollection.entries == [setting] && recollection.foreign == [foreign])
            #expect(recollection.warnings.count == 1)
            let store = Store(recollection.writer, keeping: recollection.foreign)
            #expect(await store.compact(to: recollection.entries) == nil)
            await store.close { Issue.record("\($0)") }
        }
    }
}
