// The tests of the log in the system's journal: lines with fields that scripts can search.

import Fixtures
import Foundation
import Glibc
import Oracles
import Testing

@testable import roosterd

@Suite(.timeLimit(.minutes(10))) struct LogTests {
    /// True if the test may mount its own /run. The journal has one path per system, so the test replaces it
    /// in a mount namespace of its own.
    private static let canHaveAWorld =
        (try? Program("/usr/bin/unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/run"]).exitStatus) == 0

    private static let start = """
        mount -t tmpfs none /run && mkdir -p /run/systemd/journal && mount --bind "$JOURNAL" /run/systemd/journal
        [ -z "$ERRORS" ] || exec 2>"$ERRORS"
        export JOURNAL_STREAM=$(stat -L -c %d:%i "${ERRORS:-$JOURNAL/socket}")
        exec "$ROOSTERD" --simulate --silent --state "$JOURNAL" --socket "$JOURNAL/s" --zone UTC \\
            --clock 2024-03-10T06:00:00Z
        """

    private func roosterd(in directory: String, errors: String = "") throws -> Dialogue {
        try Dialogue(
            "/usr/bin/unshare", ["--mount", "sh", "-c", Self.start],
            environment: ["JOURNAL": directory, "ERRORS": errors, "ROOSTERD": Program.built("roosterd")])
    }

    @Test(.enabled(if: canHaveAWorld)) func linesInTheSystemJournal_haveFields() throws {
        let scratch = try Scratch()
        let journal = Datagrams(at: "\(scratch.path)/socket")
        let errors = "\(scratch.path)/errors"
        let service = try roosterd(in: scratch.path, errors: errors)
        try hear(journal) { $0["MESSAGE"]?.hasPrefix("Ready") == true }
        let client = try Client(of: "\(scratch.path)/s")
        try client.ask(#"{"do":"add","alarm":{"id":"work","time":"07:00"}}"#)
        let saved = try hear(journal) { $0["ROOSTER_EVENT"] == "alarm_saved" }
        #expect(saved["MESSAGE"] == "Alarm work is saved and on")
        #expect(saved["ROOSTER_ALARM"] == "work")
        try client.ask(#"{"do":"simulate","clock":"2024-03-10T06:59:59Z"}"#)
        let fired = try hear(journal) { $0["ROOSTER_EVENT"] == "fired" }
        #expect(fired["MESSAGE"] == "Alarm work on 2024-03-10 at 07:00 rings")
        #expect(fired["PRIORITY"] == "6")
        #expect(fired["SYSLOG_IDENTIFIER"] == "roosterd")
        #expect(fired["ROOSTER_ALARM"] == "work")
        #expect(fired["ROOSTER_AT"] == "2024-03-10T07:00:00Z")
        // Standard error stays empty, so no line is logged twice.
        #expect(try String(contentsOfFile: errors, encoding: .utf8).isEmpty)
        withExtendedLifetime(service) {}
    }

    /// The length has eight bytes in little-endian order.
    @Test func multilineValue_hasALengthPrefix() {
        #expect(LogSink.SystemJournal.bytes(of: "MESSAGE", "one line") == Array("MESSAGE=one line\n".utf8))
        let lines = LogSink.SystemJournal.bytes(of: "MESSAGE", "zwölf\n=")
        #expect(lines == Array("MESSAGE\n".utf8) + [8, 0, 0, 0, 0, 0, 0, 0] + Array("zwölf\n=\n".utf8))
    }

    /// If standard error leads elsewhere, the log must go there.
    @Test(.enabled(if: canHaveAWorld)) func logLines_followStandardError_whenAnotherProgramUsesTheSystemJournal() throws
    {
        let scratch = try Scratch()
        let journal = Datagrams(at: "\(scratch.path)/socket")
        let service = try roosterd(in: scratch.path)
        #expect(service.hear("roosterd: Ready: ") != nil)
        #expect(journal.next(waits: false) == nil)
        withExtendedLifetime(service) {}
    }

    /// Returns the fields of the next message for which the condition holds.
    @discardableResult
    private func hear(_ journal: Datagrams, until isWanted: ([String: String]) -> Bool) throws -> [String: String] {
        while true {
            let message = try #require(journal.next())
            let fields = message.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            let named = Dictionary(fields.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
            #expect(named.count == fields.count, "\(message)")
            if isWanted(named) { return named }
        }
    }
}
