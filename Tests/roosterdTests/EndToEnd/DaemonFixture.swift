// A real roosterd on a simulated bedside, as a process of its own.

import Fixtures
import Foundation
import JSON
import Oracles

/// A process whose log is read, until it is ended or its owner is gone.
final class DaemonFixture {
    let state: String
    let socket: String
    private let process: Dialogue
    private var hasEnded = false

    struct NotHeard: Error {
        var words: String
    }

    /// Starts one, and waits until it is ready unless a test does that itself.
    init(
        _ state: String, socket: String? = nil, clock: String = "2024-03-09T15:00:00-05:00", speed: Int = 1,
        configuration: String? = nil, environment: [String: String] = [:], isReady: Bool = true
    ) throws {
        self.state = state
        self.socket = socket ?? "\(state)/s"
        process = try Dialogue(
            Program.built("roosterd"),
            [
                "--simulate", "--silent", "--state", state, "--socket", self.socket, "--clock", clock, "--zone",
                "America/New_York", "--speed", "\(speed)",
            ] + (configuration.map { ["--config", $0] } ?? []), environment: environment)
        if isReady { try hear("Ready") }
    }

    deinit { kill() }

    /// Starts one that is killed so long after.
    static func startInVain(_ state: String, clock: String, microseconds: UInt32) throws {
        let daemon = try DaemonFixture(state, clock: clock, isReady: false)
        usleep(microseconds)
        guard daemon.end(by: SIGKILL) == -SIGKILL else { throw NotHeard(words: daemon.process.hearAll()) }
    }

    /// Reads its log until it says this, and returns all up to there.
    @discardableResult
    func hear(_ words: String) throws -> String {
        guard let said = process.hear(words) else { throw NotHeard(words: words) }
        return said
    }

    /// As a power cut does: without a word.
    func kill() { end(by: SIGKILL) }

    /// As systemd does; returns the exit status.
    @discardableResult
    func end(by signal: Int32 = SIGTERM) -> Int32 {
        guard !hasEnded else { return 0 }
        hasEnded = true
        process.signal(signal)
        return process.exitStatus()
    }

    func client() throws -> Client { try Client(of: socket) }

    /// Sets the clock.
    func setClock(_ instant: String) throws {
        try client().ask(#"{"do":"simulate","clock":"\#(instant)"}"#)
    }

    /// A client that is told how it is, now and whenever that changes.
    func follower() throws -> Client {
        let client = try client()
        client.say(Array("{\"do\":\"follow\"}\n".utf8))
        return client
    }

    /// Follows from now on, until the status is as wanted.
    @discardableResult
    func follow(until isWanted: (JSON) -> Bool) throws -> JSON { try follower().hearStatus(until: isWanted) }
}

extension Client {
    @discardableResult
    func hearStatus(until isWanted: (JSON) -> Bool) throws -> JSON {
        while true {
            guard let status = try hear()["status"] else { throw Client.Gone() }
            if isWanted(status) { return status }
        }
    }
}

extension JSON {
    /// Whether the first session of a status rings, its challenge begun or not: without buttons it begins at once.
    var isRinging: Bool { [.string("ringing"), .string("challenged")].contains(self["sessions.0.state"]) }
}
