// The tests of typing beside the status: keys, lines, requests and the screen.

import Foundation
import Oracles
import ScriptedService
import Testing

@testable import rooster

@Suite struct TypingTests {
    private func events(_ keys: String) -> [TypedLine.Event] {
        var line = TypedLine()
        return line.take(Array(keys.utf8))
    }

    @Test func keys_makeLines() {
        #expect(events("stop\r4") == [.line("stop")])
        #expect(events("snooze\nstop\n\n") == [.line("snooze"), .line("stop"), .line("")])
        #expect(events("snö\u{7F}\u{08}top\n") == [.line("stop")])
        #expect(events("\u{7F}4\u{15}5\n") == [.line("5")])
        // Escape sequences such as arrow keys are not text.
        #expect(events("s\u{1B}[Ato\u{1B}[1;5C\u{1B}OPp\u{01}\n") == [.line("stop")])
    }

    @Test func endOfInput_isReported_whenTheLineIsEmpty() {
        #expect(events("\u{04}") == [.end])
        #expect(events("4\u{04}2\n") == [.line("42")])
        var line = TypedLine()
        _ = line.take(Array("stop".utf8))
        #expect(line.end() == [.line("stop"), .end])
        #expect(line.end() == [.end])
    }

    @Test func tooLongLine_isCut() {
        var line = TypedLine()
        _ = line.take([UInt8](repeating: 0x61, count: 1 << 20))
        #expect(line.text.count == 200)
    }

    @Test func commands_areUnderstood() {
        #expect(TypedRequest("snooze") == .command(["snooze"]))
        #expect(TypedRequest("  rooster Snooze 10s ") == .command(["snooze", "10s"]))
        #expect(TypedRequest("-12") == .command(["answer", "-12"]))
        #expect(TypedRequest("rooster answer 12") == .command(["answer", "12"]))
        #expect(TypedRequest(" ") == .nothing)
        #expect(TypedRequest("quit") == .quit)
        #expect(TypedRequest("Exit") == .quit)
        // Commands that read keys themselves are rejected, and so are unknown words.
        for line in ["import -", "status --follow", "12 13", "die"] { #expect(TypedRequest(line) == .unknown) }
        for name in TypedRequest.commands { #expect(CommandTable.command(named: name) != nil) }
    }

    @Test func screen_isRedrawn_andErased() {
        var screen = TypingScreen(hint: "type")
        #expect(screen.erasure().isEmpty)
        let style = Style(columns: 12, rows: 4)
        #expect(screen.drawing(["a", "b"], typed: "", style) == "a\u{1B}[K\nb\u{1B}[K\n> type\u{1B}[J\r\u{1B}[2C")
        // A long input is clipped at the right edge.
        #expect(
            screen.drawing(["c"], typed: "0123456789", style) == "\r\u{1B}[2Ac\u{1B}[K\n> 123456789\u{1B}[J")
        // Lines that do not fit are omitted, and the last line is for typing.
        #expect(
            screen.drawing(["d", "e", "f", "g"], typed: "x", style)
                == "\r\u{1B}[1Ad\u{1B}[K\ne\u{1B}[K\nf\u{1B}[K\n> x\u{1B}[J")
        #expect(screen.erasure() == "\r\u{1B}[3A\u{1B}[J")
        #expect(screen.farewell().isEmpty)
    }

    private static let solved = #"{"ok":true,"correct":true,"asked":null,"state":"stopped","label":"Work"}"#

    /// Returns a service with a ringing alarm.
    private func server() throws -> MockServer {
        let ringing = CannedService.status(sessions: CannedService.session())
        return try CannedService.server([
            "follow": ringing, "status": ringing,
            "snooze":
                #"{"ok":true,"label":"Work","until":"2026-11-23T22:58:00Z","left":2,"device":\#(CannedService.device())}"#,
            "stop": #"{"ok":true,"asked":{"kind":"math","sum":"12 + 30","left":1}}"#,
            "answer": Self.solved,
        ])
    }

    @Test func typedCommand_isDone_withoutATerminal() throws {
        let server = try server()
        let run = try Dialogue(Program.built("rooster"), ["status", "--follow", "--type", "--socket", server.path])
        #expect(run.hear("23:48 Work rings\n") != nil)
        run.type("snooze 90s\nstop\nsing\n42\nquit\nsnooze\n")
        #expect(run.hear("Work is snoozed for 10 min, until 23:58. 2 snoozes left.\n") != nil)
        #expect(run.hear("Solve: 12 + 30") != nil)
        #expect(run.hear("rooster: Type snooze, stop or the answer to a sum (quit ends this)\n") != nil)
        #expect(run.hearAll() == "Right. All challenges are done. Work is stopped.\n")
        #expect(run.exitStatus() == 0)
        #expect(server.request("snooze") == #"{"seconds":90}"#)
        #expect(server.request("answer") == #"{"number":42}"#)
    }

    /// roosterd closes an idle connection, so the next input needs a new one.
    @Test func typing_continues_afterTheServiceClosesTheConnection() throws {
        let server = try MockServer { request in
            switch request.text("do") {
            case "follow": [.line(CannedService.status(sessions: CannedService.session()))]
            case "answer": [.line(Self.solved), .close]
            default: [.line(CannedService.status()), .close]
            }
        }
        let run = try Dialogue(Program.built("rooster"), ["status", "--follow", "--type", "--socket", server.path])
        #expect(run.hear("23:48 Work rings\n") != nil)
        for _ in 0..<3 {
            run.type("42\n")
            #expect(run.hear("Right. All challenges are done. Work is stopped.\n") != nil)
        }
        run.type("quit\n")
        #expect(run.exitStatus() == 0)
    }

    /// script(1) provides a terminal; the shell prints its settings before and after.
    @Test(arguments: ["quit\r", "\u{04}", "\u{03}"]) func terminalSettings_areRestored(end: String) throws {
        let server = try server()
        let command = #"stty -g; trap : INT; "$ROOSTER" status --follow --type --socket "$SOCKET"; echo; stty -g"#
        let terminal = try Dialogue(
            "/usr/bin/script", ["-qec", command, "/dev/null"],
            environment: [
                "SHELL": "/bin/sh", "TERM": "xterm", "ROOSTER": Program.built("rooster"), "SOCKET": server.path,
            ])
        let before = try #require(terminal.hear("\n"))
        #expect(before.contains(":"))
        #expect(terminal.hear("the answer to a sum") != nil)
        terminal.type("snoo")
        #expect(terminal.hear("> snoo") != nil)
        terminal.type("ze\r")
        #expect(terminal.hear("> snooze\r\nWork is snoozed for") != nil)
        #expect(terminal.hear("the answer to a sum") != nil)
        terminal.type(end)
        #expect(terminal.hearAll().hasSuffix(before))
        #expect(terminal.exitStatus() == 0)
    }

    /// A hanging service must not delay the exit.
    @Test func interrupt_endsEveryWait() throws {
        let ringing = CannedService.status(sessions: CannedService.session())
        let snoozed = DispatchSemaphore(value: 0)
        let server = try MockServer { request in
            if request.text("do") == "snooze" { snoozed.signal() }
            return [request.text("do") == "follow" ? .line(ringing) : .silence]
        }
        let run = try Dialogue(Program.built("rooster"), ["status", "--follow", "--type", "--socket", server.path])
        #expect(run.hear("23:48 Work rings\n") != nil)
        run.type("snooze\n")
        snoozed.wait()
        run.signal(SIGINT)
        #expect(run.exitStatus() == -SIGINT)
        #expect(!run.hearAll().contains("does not answer"))
    }
}
