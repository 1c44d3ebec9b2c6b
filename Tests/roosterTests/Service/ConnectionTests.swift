// The tests of services that are missing, slow or faulty: no command hangs, and each error names a remedy.

import Foundation
import JSON
import Oracles
import ScriptedService
import System
import Testing

@testable import rooster

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    @Test func missingService_isReported_withARemedy() throws {
        let run = try Program(
            Program.built("rooster"), ["list", "--json"], environment: ["ROOSTER_SOCKET": "/nowhere/control.sock"])
        #expect(run.exitStatus == 1)
        #expect(run.output.hasPrefix(#"{"error":{"code":"refused","message":"The service is not running: "#))
        #expect(run.complaints.count == 1)
        #expect(
            run.errors.hasPrefix("rooster: The service is not running: nothing listens at /nowhere/control.sock. Start")
        )
        // A custom socket means that systemd does not manage roosterd.
        #expect(run.errors.contains("'roosterd --socket'") && !run.errors.contains("systemctl"), "\(run.errors)")
    }

    /// roosterd's log shows commands with `--socket` first, so both positions must work.
    @Test func socketOption_overridesTheEnvironment_inAnyPosition() throws {
        let server = try CannedService.server()
        let orders = [
            ["status", "--json", "--socket", server.path], ["--socket", server.path, "status", "--json"],
            ["--socket=\(server.path)", "status", "--json"],
        ]
        for (index, words) in orders.enumerated() {
            let run = try Program(
                Program.built("rooster"), words, environment: ["ROOSTER_SOCKET": "/nowhere/control.sock"])
            #expect(run.exitStatus == 0, "\(run.errors)")
            #expect(server.requests.count == index + 1)
        }
        let run = try Program(Program.built("rooster"), ["--socket", server.path])
        #expect(run.exitStatus == 0 && run.output.hasPrefix("Usage: "), "\(run.errors)")
    }

    /// The version needs no service, and both programs report the same.
    @Test func version_isTheSameForBothPrograms() throws {
        let mine = try Program(Program.built("rooster"), ["--version"])
        for other in [["-V"], ["version"], ["--socket", "/s", "version"]] {
            #expect(try Program(Program.built("rooster"), other).output == mine.output)
        }
        let service = try Program(Program.built("roosterd"), ["--version"])
        #expect(mine.exitStatus == 0 && mine.errors.isEmpty)
        #expect("\(mine.output)".replacing("rooster ", with: "roosterd ") == service.output)
    }

    @Test(arguments: [
        (#filePath, "The service is not running"),
        ("/" + String(repeating: "x", count: 200), "cannot be the path of a"),
    ])
    func pathWithoutAService_isReported(path: String, words: String) throws {
        let run = try Program(Program.built("rooster"), ["status"], environment: ["ROOSTER_SOCKET": path])
        #expect(run.exitStatus == 1)
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    /// Root may connect to any socket, so the command runs as another user.
    @Test(
        .enabled(if: geteuid() == 0),
        arguments: [
            (0o660, "Your user is not in the group daemon: run 'sudo adduser ann daemon', then log in again."),
            (0o600, "Only the user root may."),
        ] as [(mode_t, String)])
    func userWithoutPermission_isRefused_withARemedy(mode: mode_t, words: String) throws {
        let server = try CannedService.server()
        let folder = URL(fileURLWithPath: server.path).deletingLastPathComponent().path
        chmod(folder, 0o755)
        chmod(server.path, mode)
        chown(server.path, 0, try #require(getgrnam("daemon")).pointee.gr_gid)
        let command = "exec \(Program.built("rooster")) status --socket \(server.path)"
        let run = try Program(
            "/usr/bin/setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "/bin/sh", "-c", command],
            environment: ["USER": "ann"])
        // Other users may have no access to the build directory. The command then cannot start.
        guard run.exitStatus != 126, run.exitStatus != 127 else { return }
        #expect(run.exitStatus == 1)
        #expect(run.errors.hasPrefix("rooster: You may not use the service. \(words)\n"), "\(run.errors)")
    }

    /// An incomplete response counts as none.
    @Test(arguments: ["", #"{"ok":true,"#]) func incompleteResponse_timesOut(said: String) throws {
        let server = try MockServer { _ in [.bytes(Array(said.utf8))] }
        let service = RunningService(socket: server.path, timeouts: Timeouts(answerMilliseconds: 200))
        #expect(words { () throws(CommandError) in _ = try service.status() }.hasPrefix("The service does not answer"))
    }

    /// Only the first status has a timeout. After it the service may be silent all night.
    @Test func follow_withoutAFirstStatus_timesOut() throws {
        let server = try MockServer { _ in [.silence] }
        let service = RunningService(socket: server.path, timeouts: Timeouts(answerMilliseconds: 200))
        try service.follow()
        let said = words { () throws(CommandError) in _ = try service.nextFollowed() }
        #expect(said.hasPrefix("The service does not answer. Try again."), "\(said)")
    }

    @Test func connectionThatIsNeverAccepted_timesOut() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/full.sock"
        let listener = try #require(Self.listener(path, backlog: 0))
        defer { close(listener) }
        // The backlog holds the first connections. Later attempts block.
        let timeouts = Timeouts(connectMilliseconds: 100, answerMilliseconds: 100)
        var services: [RunningService] = []
        var said: [String] = []
        for _ in 0..<4 {
            let service = RunningService(socket: path, timeouts: timeouts)
            services.append(service)
            said.append(words { () throws(CommandError) in _ = try service.status() })
        }
        #expect(said.last?.hasPrefix("The service has too many clients") == true, "\(said)")
    }

    @Test func closedConnection_isReported() throws {
        for turns in [[MockServer.Turn.close], [.bytes(Array(#"{"ok":tr"#.utf8)), .close]] {
            let server = try MockServer { _ in turns }
            let run = try server.rooster("delete", "Work")
            #expect(run.exitStatus == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("rooster: The service ended before it answered."), "\(run.errors)")
        }
    }

    @Test(arguments: [
        "no JSON", "[]", "{}", #"{"ok":1}"#, #"{"ok":true}"#, #"{"ok":true,"status":[]}"#,
        #"{"ok":true,"status":{"now":"tomorrow","local":"2026-11-23T23:48:00+01:00"}}"#,
        #"{"ok":true,"status":{"now":"2026-11-23T22:48:00Z"}}"#, #"{"ok":true,"status":{"local":"x"}}"#,
        "\u{1B}[2J",
    ])
    func invalidResponse_isReported(answer: String) throws {
        let server = try MockServer { _ in [.bytes(Array("\(answer)\n".utf8))] }
        let run = try server.rooster("status")
        #expect(run.exitStatus == 1)
        #expect(run.output.isEmpty)
        #expect(run.complaints.count == 1)
        #expect(run.errors.hasPrefix("rooster: The answer of the service is not understood ("), "\(run.errors)")
        #expect(!run.errors.contains("\u{1B}"))
    }

    @Test func endlessResponse_isNotReadForEver() throws {
        let server = try MockServer { _ in
            Array(repeating: .bytes([UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)), count: 70)
        }
        // A busy machine needs more than the default timeout to send this many bytes.
        let service = RunningService(socket: server.path, timeouts: Timeouts(answerMilliseconds: 600_000))
        let said = words { () throws(CommandError) in _ = try service.status() }
        #expect(said.contains("its answer does not end"), "\(said)")
    }

    @Test func problems_areReportedOnePerLine() throws {
        let problems = #"""
            {"ok":false,"reason":"problems","message":"a; b","problems":["ring.volume: 0 wakes nobody","zone: \u001b[31mno"]}
            """#
        let run = try CannedService.server(["add": problems]).rooster("add", "7:00")
        #expect(run.exitStatus == 1)
        #expect(run.complaints == ["rooster: --volume: 0 wakes nobody", #"rooster: --zone: \u{1B}[31mno"#])
    }

    @Test func tooLongRequest_isNotSent() throws {
        let server = try CannedService.server(["import": CannedService.done])
        let file = #"{"format":"rooster/1","note":"\#(String(repeating: "x", count: 9 << 20))"}"#
        let run = try server.rooster("import", "-", input: file)
        #expect(run.exitStatus == 1)
        #expect(run.errors.contains("more than the service accepts at once (8 MiB). Split the file"), "\(run.errors)")
        #expect(server.requests.isEmpty)
    }

    /// Returns the error's message, or an empty string if there is no error.
    private func words(_ work: () throws(CommandError) -> Void) -> String {
        do throws(CommandError) {
            try work()
            return ""
        } catch {
            return "\(error)"
        }
    }

    private static func listener(_ path: String, backlog: Int32) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = SocketAddress(path: path)?.with { bind(descriptor, $0, $1) == 0 } ?? false
        return isBound && listen(descriptor, backlog) == 0 ? descriptor : nil
    }
}
