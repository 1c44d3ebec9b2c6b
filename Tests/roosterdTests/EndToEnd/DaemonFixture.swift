// A real roosterd on a simulated bedside, as a process of its own.

import Fixtures
import Foundation
import JSON
import Oracles

/// A process, until it is killed or its owner is gone.
final class DaemonFixture {
    let state: String
    let socket: String
    private let process = Process()
    private let lines: Pipe

    /// Starts one, and waits until it can be spoken to.
    convenience init(
        _ state: String, clock: String = "2024-03-09T15:00:00-05:00", zone: String = "America/New_York",
        configuration: String? = nil, environment: [String: String] = [:], hearing: (String) throws -> Void = { _ in }
    ) throws {
        try self.init(starting: state, clock, zone, configuration, environment)
        try hearReady(hearing)
    }

    /// Starts one that is killed so long after.
    static func startInVain(_ state: String, clock: String, microseconds: UInt32) throws {
        let daemon = try DaemonFixture(starting: state, clock, "America/New_York", nil, [:])
        usleep(microseconds)
        guard daemon.process.isRunning else { throw NotReady(said: "") }
        daemon.kill()
    }

    private init(
        starting state: String, _ clock: String, _ zone: String, _ configuration: String?,
        _ environment: [String: String]
    ) throws {
        self.state = state
        socket = "\(state)/s"
        lines = Pipe()
        process.executableURL = URL(fileURLWithPath: Program.built("roosterd"))
        process.arguments =
            [
                "--simulate", "--silent", "--state", state, "--socket", socket, "--clock", clock, "--zone", zone,
            ] + (configuration.map { ["--config", $0] } ?? [])
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardError = lines
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        kill()
    }

    struct NotReady: Error {
        var said: String
    }

    /// It says when it is: nobody has to try.
    private func hearReady(_ hearing: (String) throws -> Void) throws {
        var said = ""
        while !said.contains("Ready") {
            let piece = lines.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw NotReady(said: said) }
            said += String(decoding: piece, as: UTF8.self)
            try hearing(said)
        }
        // Whatever else it says must not fill the pipe.
        lines.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    /// As a power cut does: without a word.
    func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        lines.fileHandleForReading.readabilityHandler = nil
    }

    /// As systemd does; answers with the exit status.
    func end() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    func client() throws -> Client { try Client(of: socket) }

    /// Sets the clock.
    func setClock(_ instant: String) throws {
        try client().ask(#"{"do":"simulate","changes":{"clock":"\#(instant)"}}"#)
    }

    /// Follows until the status is as wanted.
    @discardableResult
    func follow(until isWanted: (JSON) -> Bool) throws -> JSON {
        let client = try client()
        client.say(Array("{\"do\":\"follow\"}\n".utf8))
        while true {
            guard let status = try client.hear()["status"] else { throw Client.Gone() }
            if isWanted(status) { return status }
        }
    }
}

extension JSON {
    /// Whether the first session of a status rings, its challenge begun or not: without buttons it begins at once.
    var isRinging: Bool { [.string("ringing"), .string("challenged")].contains(self["sessions.0.state"]) }
}
