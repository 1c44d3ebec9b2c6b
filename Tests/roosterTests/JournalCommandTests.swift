// What `rooster journal` says of journals, and that it changes none.

import Foundation
import Journal
import Oracles
import Testing

@Suite struct JournalCommandTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    func rooster(_ arguments: String...) throws -> Program {
        try Program(Program.built("rooster"), ["journal"] + arguments)
    }

    func journal() throws -> Journal {
        let opened = try Journal.open(try LinuxDisk(directory: scratch.path), chunkBytes: 1024)
        for payload in [#"{"a":1.50}"#, "not JSON\n", "[]"] {
            let record = NewRecord(
                RecordKind(rawValue: 7), millisecondsSince1970: 1_767_225_600_007, payload: Array(payload.utf8))
            try opened.journal.append([record])
        }
        return opened.journal
    }

    /// Flips a bit of the first record's payload.
    func damage() throws {
        let file = URL(fileURLWithPath: scratch.path).appendingPathComponent("journal-000000000001")
        var bytes = try Data(contentsOf: file)
        bytes[512 + 41] ^= 1
        try bytes.write(to: file)
    }

    @Test func dump_printsEveryRecord_whileAServiceHasTheJournal() throws {
        let journal = try journal()
        let run = try rooster("dump", scratch.path)
        #expect(run.exitStatus == 0)
        #expect(run.errors.isEmpty)
        let start = #""at":"2026-01-01T00:00:00.007Z","kind":7,"#
        #expect(
            run.lines == [
                #"{"sequence":1,\#(start)"payload":{"a":1.50}}"#[...],
                #"{"sequence":2,\#(start)"bytes":"6e6f74204a534f4e0a"}"#[...],
                #"{"sequence":3,\#(start)"payload":[]}"#[...],
            ])
        journal.close()
    }

    @Test func check_isContentWithASoundJournal() throws {
        let journal = try journal()
        let run = try rooster("check", scratch.path)
        #expect(run.exitStatus == 0)
        #expect(run.output == "\(scratch.path): 3 records, the last is number 3; nothing is damaged\n")
        let json = try rooster("check", "--json", "\(scratch.path)/journal-000000000001")
        #expect(json.exitStatus == 0)
        #expect(
            json.output
                == #"{"files":["journal-000000000001"],"records":3,"last":3,"torn":null,"damage":[],"setAside":[]}"#
                + "\n")
        journal.close()
    }

    @Test func check_saysWhatIsDamaged_andChangesNothing() throws {
        try journal().close()
        try damage()
        for path in [scratch.path, "\(scratch.path)/journal-000000000001"] {
            let run = try rooster("check", path)
            #expect(run.exitStatus == 1)
            #expect(run.output.contains("bytes 512 to 1024: record 1 is missing"))
            #expect(run.complaints == ["rooster: \(path): the journal is damaged"])
        }
        let json = try rooster("check", "--json", scratch.path)
        #expect(json.output.contains(#""damage":[{"file":"journal-000000000001","from":512,"until":1024,"what":"#))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["journal-000000000001"])
    }

    @Test func dump_printsWhatIsReadable_ofADamagedJournal() throws {
        try journal().close()
        try damage()
        let run = try rooster("dump", scratch.path)
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == 2)
    }

    @Test func check_refusesWhatIsNoJournal() throws {
        let empty = try rooster("check", scratch.path)
        #expect(empty.exitStatus == 1)
        #expect(empty.complaints == ["rooster: \(scratch.path): there is no journal in this directory"])
        let missing = try rooster("check", "\(scratch.path)/none")
        #expect(missing.exitStatus == 1)
        #expect(missing.errors.contains("No such file or directory"))
        _ = try scratch.file("text", holding: "This is not a journal.\n")
        #expect(try rooster("check", "\(scratch.path)/text").exitStatus == 1)
    }

    @Test func wrongUsage_isSaid() throws {
        #expect(try rooster("mend", scratch.path).exitStatus == 2)
        #expect(try rooster("check").exitStatus == 2)
        #expect(try rooster("--help").output.contains("rooster journal dump FILE|DIR"))
    }
}
