// The test of the journal's system calls and their order. Only a power cut reveals a missing sync, and no
// test can cut the power of a real disk.

import Foundation
import Oracles
import Testing

@Suite struct SystemCallTests {
    @Test(.enabled(if: Strace.isPermitted, "NOT TESTED: this machine does not let strace look at other processes"))
    func journal_syncsBeforeItRenames_removesOrAcknowledges() throws {
        let scratch = try Scratch()
        let calls = try Strace.calls(of: Program.built("appender"), [scratch.path, "40"])
        var order = SyncOrder(directory: try realPath(scratch.path))
        for call in calls { order.follow(call) }
        #expect(order.complaints.isEmpty)
        // A trace without calls would pass, so the counts must be plausible.
        #expect(order.acknowledgements > 40)
        #expect(order.commits > 40)
        #expect(order.renames > 3)
        #expect(order.removals > 3)
    }

    func realPath(_ path: String) throws -> String {
        let resolved = try #require(realpath(path, nil))
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// The files and names that are not synced yet, updated with each call.
private struct SyncOrder {
    let directory: String
    private(set) var complaints: [String] = []
    private(set) var acknowledgements = 0
    private(set) var commits = 0
    private(set) var renames = 0
    private(set) var removals = 0
    private var unsyncedFiles: Set<String> = []
    private var isNameUnsynced = false

    init(directory: String) {
        self.directory = directory
    }

    /// Reads a line of strace's, such as `pwrite64(5</tmp/j/journal-000000000001>, ""..., 512, 512) = 512`.
    mutating func follow(_ line: Substring) {
        let call = line.prefix { $0 != "(" }.split(separator: " ").last ?? ""
        let path = line.contains("<") ? String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }) : ""
        switch call {
        case "pwrite64" where path.hasPrefix(directory):
            unsyncedFiles.insert(path)
        case "fdatasync":
            if unsyncedFiles.remove(path) != nil { commits += 1 }
        case "renameat", "renameat2":
            renames += 1
            let name = line.split(separator: "\"")[1]
            expect(!unsyncedFiles.contains("\(directory)/\(name)"), "renamed before its bytes were synced", line)
            isNameUnsynced = true
        case "fsync" where path == directory:
            isNameUnsynced = false
        case "unlinkat":
            removals += 1
            expect(!isNameUnsynced, "removed before the new name was synced", line)
        case "write" where line.contains("(1<"):
            acknowledgements += 1
            expect(unsyncedFiles.isEmpty, "acknowledged before the bytes were synced", line)
            expect(!isNameUnsynced, "acknowledged before the name was synced", line)
        default: break
        }
    }

    private mutating func expect(_ isSo: Bool, _ complaint: String, _ line: Substring) {
        if !isSo { complaints.append("\(complaint): \(line)") }
    }
}

/// The strace command, which prints the system calls of a program.
private enum Strace {
    private static let path = "/usr/bin/strace"

    /// False if a container forbids tracing. A missing strace fails: `scripts/setup --tests` installs it.
    static let isPermitted: Bool = {
        do {
            return try !Program(path, ["-o", "/dev/null", "/bin/true"]).errors.contains("not permitted")
        } catch {
            return true
        }
    }()

    /// Returns the calls of a program, with the path of each open file and without the bytes.
    static func calls(of program: String, _ arguments: [String]) throws -> [Substring] {
        let scratch = try Scratch()
        let log = try scratch.file("calls")
        let kinds = "trace=pwrite64,write,fdatasync,fsync,renameat,renameat2,unlinkat"
        let run = try Program(path, ["-f", "-y", "-s", "0", "-e", kinds, "-o", log.path, program] + arguments)
        #expect(run.exitStatus == 0, "\(run.errors)")
        return String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
    }
}
