// The tests of bash completion: it offers the commands, the options and the existing alarms.

import Foundation
import Oracles
import ScriptedService
import Testing

@testable import rooster

@Suite struct CompletionTests {
    static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "deploy/completion/rooster.bash"
        )
        .path

    func bash(_ lines: String, environment: [String: String] = [:]) throws -> [String] {
        let tools = URL(fileURLWithPath: Program.built("rooster")).deletingLastPathComponent().path
        let run = try Program(
            "/bin/bash", ["-c", "source '\(Self.script)'\n\(lines)"],
            environment: environment.merging(["PATH": "\(tools):/usr/bin:/bin"]) { $1 })
        #expect(run.errors.isEmpty)
        return run.output.split(whereSeparator: \.isNewline).map(String.init)
    }

    /// Returns the completions of the last word.
    func offered(_ words: String..., environment: [String: String] = [:]) throws -> [String] {
        try offered(words, environment: environment)
    }

    func offered(_ words: [String], environment: [String: String] = [:]) throws -> [String] {
        let list = (["rooster"] + words).map { "'\($0)'" }.joined(separator: " ")
        return try bash(
            "COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); _rooster; printf '%s\\n' \"${COMPREPLY[@]}\"",
            environment: environment)
    }

    @Test func completedCommands_matchTheCommandTable() throws {
        #expect(try bash("printf '%s\\n' $_rooster_commands") == CommandTable.all.map(\.name))
    }

    @Test(arguments: CommandTable.all.map(\.name))
    func completedOptions_matchTheCommandTable(name: String) throws {
        let command = try #require(CommandTable.command(named: name))
        let options = command.valued.union(command.flags).union(command.repeated).union(["--help"])
        #expect(try bash("printf '%s\\n' $(_rooster_options \(name))").sorted() == options.sorted())
    }

    /// `--socket` may come first. bash splits an option from its value at the equals sign.
    @Test(arguments: [[], ["--socket", "/x"], ["--socket", "=", "/x"]])
    func words_areCompleted(socket: [String]) throws {
        func offered(_ words: String...) throws -> [String] { try self.offered(socket + words) }
        #expect(try offered("st") == ["status", "stop"])
        #expect(try offered("edit", "Work", "--no-c") == ["--no-code", "--no-challenges"])
        #expect(try offered("add", "7:00", "week") == ["weekdays", "weekends", "weekly"])
        #expect(try offered("bedside", "--disk", "") == ["ok", "full", "failing"])
        #expect(try offered("bedside", "--press", "") == ["snooze", "stop", "both"])
        #expect(try offered("sound", "t") == ["test"])
        #expect(try self.offered("--v") == ["--version"])
    }

    @Test(arguments: ["--socket", "status --socket", "--socket ="])
    func files_areCompleted_whereACommandTakesOne(words: String) throws {
        let count = words.split(separator: " ").count
        let offered = try bash(
            "compopt() { echo files; }; COMP_WORDS=(rooster \(words) ''); COMP_CWORD=\(count + 1); _rooster")
        #expect(offered == ["files"])
    }

    @Test func sounds_areCompleted_fromTheService() throws {
        let server = try CannedService.server([
            "sounds": #"{"ok":true,"sounds":[{"id":"tone01","name":"Tone"},{"id":"mine.wav","name":"mine.wav"}]}"#
        ])
        let environment = ["ROOSTER_SOCKET": server.path]
        #expect(try offered("sound", "test", "tone0", environment: environment) == ["tone01"])
        #expect(try offered("--socket", server.path, "sound", "test", "mi") == ["mine.wav"])
        #expect(try offered("add", "7:00", "--sound", "to", environment: environment) == ["tone01"])
    }

    @Test func codesAndTags_areCompleted_forTheirOptions() throws {
        let tag = #"{"label":"key","kind":"tag","symbology":"qr","fingerprint":"0f1e2d3c","alarms":[]}"#
        let server = try CannedService.server([
            "codes": #"{"ok":true,"codes":[\#(CannedService.bathroomCode),\#(tag)]}"#
        ])
        let environment = ["ROOSTER_SOCKET": server.path]
        #expect(try offered("add", "7:00", "--code", "", environment: environment) == ["bathroom"])
        #expect(try offered("add", "7:00", "--tag", "", environment: environment) == ["key"])
        #expect(try offered("code", "forget", "", environment: environment) == ["bathroom", "key"])
        #expect(try offered("bedside", "--tag", "", environment: environment).isEmpty)
    }

    @Test func alarms_areCompleted_byLabelAndId() throws {
        let alarms = #"""
            {"ok":true,"alarms":[{"alarm":{"id":"6f96-1","label":"School morning","time":"07:00"},"next":null,"days":"x"},
            {"alarm":{"id":"6f96-2","label":"$(touch /tmp/rooster-was-here)","time":"07:00"},"next":null,"days":"x"}]}
            """#.replacing("\n", with: "")
        let server = try CannedService.server(["alarms": alarms])
        let environment = ["ROOSTER_SOCKET": server.path]
        #expect(try offered("delete", "Sch", environment: environment) == [#"School\ morning"#])
        #expect(try offered("delete", "6", environment: environment) == ["6f96-1", "6f96-2"])
        let all = try offered("delete", "", environment: environment)
        #expect(all == [#"School\ morning"#, #"\$\(touch\ /tmp/rooster-was-here\)"#])
        #expect(try offered("--socket", server.path, "delete", "Sch") == [#"School\ morning"#])
        // Only the first word of `delete` is an alarm.
        #expect(try offered("delete", "a", "", environment: environment).isEmpty)
        #expect(try offered("delete", "", environment: ["ROOSTER_SOCKET": "/nowhere"]).isEmpty)
    }
}
