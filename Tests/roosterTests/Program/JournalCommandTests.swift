// The tests of `rooster journal`: its reports, and that it changes no journal.

import Foundation
import JSON
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
        let start = #""at":"2026-01-01T00:00:00.007Z","kind":7,"name":"code_forgotten","#
        #expect(
            run.lines == [
                #"{"sequence":1,\#(start)"payload":{"a":1.50}}"#[...],
                #"{"sequence":2,\#(start)"bytes":"6e6f74204a534f4e0a"}"#[...],
                #"{"sequence":3,\#(start)"payload":[]}"#[...],
            ])
        journal.close()
    }

    @Test func check_ofAnIntactJournal_exitsWith0() throws {
        let journal = try journal()
        let run = try rooster("check", scratch.path)
        #expect(run.exitStatus == 0)
        #expect(run.output == "\(scratch.path): 3 records, the last is number 3; nothing is damaged\n")
        let link = "\(scratch.path)/link"
        #expect(symlink("journal-000000000001", link) == 0)
        #expect(try rooster("check", link).output.contains("3 records"))
        let json = try rooster("check", "--json", "\(scratch.path)/journal-000000000001")
        #expect(json.exitStatus == 0)
        #expect(
            json.output
                == #"{"files":["journal-000000000001"],"records":3,"last":3,"torn":null,"damage":[],"spareDamage":[],"setAside":[]}"#
                + "\n")
        journal.close()
    }

    @Test func check_reportsDamage_andChangesNothing() throws {
        try journal().close()
        try damage()
        for path in [scratch.path, "\(scratch.path)/journal-000000000001"] {
            let run = try rooster("check", path)
            #expect(run.exitStatus == 1)
            #expect(run.output.contains("bytes 512 to 1024: record 1 is missing"))
            #expect(run.output.contains("roosterd can start") && run.output.contains("have to be entered again"))
            #expect(run.complaints == ["rooster: The journal \(path) is damaged"])
        }
        let json = try rooster("check", "--json", scratch.path)
        #expect(json.output.contains(#""damage":[{"file":"journal-000000000001","from":512,"until":1024,"problem":"#))
        // The undamaged records are printed in spite of the damage.
        let dump = try rooster("dump", scratch.path)
        #expect(dump.exitStatus == 1 && dump.lines.count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["journal-000000000001"])
    }

    @Test func tornTail_isReported_withItsRecords() throws {
        let journal = try Journal.open(try LinuxDisk(directory: scratch.path), chunkBytes: 1024).journal
        try journal.append(
            ["[1]", "[2]", "[3]"].map { payload in
                NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: Array(payload.utf8))
            })
        journal.close()
        try damage()
        let run = try rooster("check", scratch.path)
        #expect(run.exitStatus == 0)
        #expect(run.output.contains("0 records; nothing is damaged before the torn tail"))
        #expect(run.output.contains("2 complete records in it are not used"))
        #expect(try rooster("check", "--json", scratch.path).output.contains(#""records":2},"damage":[]"#))
    }

    @Test func dump_ofInstantsOutsideTheCalendar_printsMilliseconds() throws {
        let journal = try Journal.open(try LinuxDisk(directory: scratch.path), chunkBytes: 1024).journal
        for milliseconds in [Int64.min, -1, 253_402_300_800_000] {
            try journal.append([
                NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: milliseconds, payload: Array("0".utf8))
            ])
        }
        journal.close()
        #expect(
            try rooster("dump", scratch.path).lines == [
                #"{"sequence":1,"at":null,"milliseconds":-9223372036854775808,"kind":1,"name":"alarm_saved","payload":0}"#,
                #"{"sequence":2,"at":"1969-12-31T23:59:59.999Z","kind":1,"name":"alarm_saved","payload":0}"#,
                #"{"sequence":3,"at":null,"milliseconds":253402300800000,"kind":1,"name":"alarm_saved","payload":0}"#,
            ])
    }

    @Test func check_withADamagedSecondChance_reportsIt() throws {
        let journal = try journal()
        try journal.compact(to: [
            NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: Array("0".utf8))
        ])
        journal.close()
        try damage()
        let run = try rooster("dump", scratch.path)
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == 1)
        let check = try rooster("check", scratch.path)
        #expect(
            check.output.contains("1 record, the last is number 4; none is missing, but the spare copy is DAMAGED"))
        #expect(!check.output.contains("have to be entered again"))
        #expect(check.complaints == ["rooster: The spare copy of the journal \(scratch.path) is damaged"])
        #expect(try rooster("check", "--json", scratch.path).output.contains(#""damage":[],"spareDamage":[{"#))
    }

    @Test func check_refusesOtherFiles() throws {
        let empty = try rooster("check", scratch.path)
        #expect(empty.exitStatus == 1)
        #expect(empty.complaints == ["rooster: There is no journal in \(scratch.path)"])
        let missing = try rooster("check", "\(scratch.path)/none")
        #expect(missing.exitStatus == 1)
        #expect(missing.errors.contains("There is no file or directory"))
        _ = try scratch.file("text", holding: "This is not a journal.\n")
        #expect(try rooster("check", "\(scratch.path)/text").exitStatus == 1)
    }
}
