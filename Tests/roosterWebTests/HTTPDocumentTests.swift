// The tests of `docs/HTTP.md`: each of its lines runs against real programs and prints what the page says.

import API
import Fixtures
import Foundation
import JSON
import Oracles
import Testing
import WebAPI

@Suite(.timeLimit(.minutes(5))) struct HTTPDocumentTests {
    private static let path =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/docs/HTTP.md"

    private func text() throws -> String { try String(contentsOfFile: Self.path, encoding: .utf8) }

    /// The commands of the page, each with the output that follows it.
    private func commands() throws -> [(command: String, output: [String])] {
        var commands: [(command: String, output: [String])] = []
        for block in try text().components(separatedBy: "```sh\n").dropFirst() {
            let lines = (block.components(separatedBy: "\n```").first ?? "").components(separatedBy: "\n")
            // The block that sets variables has no command.
            for line in lines.drop(while: { !$0.hasPrefix("$ ") }) {
                if line.hasPrefix("$ ") {
                    commands.append((String(line.dropFirst(2)), []))
                } else {
                    commands[commands.count - 1].output.append(line)
                }
            }
        }
        return commands
    }

    /// Returns whether the output has these parts in their order. They are at both of its ends, unless
    /// `…` is there.
    private func matches(_ output: String, _ expected: [String]) -> Bool {
        let pattern = expected.joined(separator: "\n")
        let parts = pattern.components(separatedBy: "…")
        var rest = output[...]
        for (index, part) in parts.enumerated() {
            guard let found = index == 0 ? rest.range(of: part, options: .anchored) : rest.range(of: part) else {
                return part.isEmpty
            }
            rest = rest[found.upperBound...]
        }
        return pattern.hasSuffix("…") || rest.allSatisfy(\.isWhitespace)
    }

    @Test func eachLine_printsWhatThePageSays() throws {
        let programs = try WebFixture()
        _ = try programs.scratch.program("rooster", script: #"exec \#(Program.built("rooster")) "$@""#)
        let commands = try commands()
        #expect(commands.count > 20)
        #expect(commands.count { $0.command.contains("Idempotency-Key") } == 2)
        var ids: [String: JSON] = [:]
        for (command, expected) in commands {
            let output = try programs.run(command)
            #expect(matches(output, expected), "\(command)\n\(output)")
            // The same line twice has the same key.
            guard command.contains("Idempotency-Key") else { continue }
            let id = try JSON(parsing: Array(output.utf8))["id"]
            if let before = ids.updateValue(try #require(id), forKey: command) { #expect(before == id) }
        }
    }

    /// The table of status codes has every code that a request may have.
    @Test func everyStatus_isExplained() throws {
        let rows = try text().components(separatedBy: "\n").filter { $0.hasPrefix("| ") }
        let explained = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        }
        for spec in RequestSpec.all.map({ $0.spec }) {
            for status in spec.otherStatuses + [spec.successStatus] { #expect(explained.contains(status.rawValue)) }
        }
    }
}

extension WebFixture {
    /// Runs a command of the page in a shell, and returns its output.
    fileprivate func run(_ command: String) throws -> String {
        let base = "http://127.0.0.1:\(port)/api/1"
        let environment = ProcessInfo.processInfo.environment.merging([
            "R": base, "A": "Authorization: Bearer \(token)", "HOME": scratch.path, "ROOSTER_SOCKET": daemon.socket,
            "PATH": "\(scratch.path):/usr/bin:/bin",
        ]) { $1 }
        let local = command.replacing("http://rooster.local/api/1", with: base)
        let program = try Program("/bin/bash", ["-c", "cd \(scratch.path) && \(local)"], environment: environment)
        return program.output.replacing("\r\n", with: "\n")
    }
}
