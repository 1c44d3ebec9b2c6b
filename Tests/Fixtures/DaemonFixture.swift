// The daemon fixture: a real roosterd with simulated devices, in its own process.

import Foundation
import JSON
import Oracles

/// A running roosterd whose log the test reads. It is killed when the fixture is released.
package final class DaemonFixture {
    package let state: String
    package let socket: String
    private let process: Dialogue
    private var hasEnded = false

    package struct NotHeard: Error {
        package var text: String
    }

    /// Starts roosterd. By default waits until it is ready.
    package init(
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

    /// Starts roosterd, and kills it after that time.
    package static func startInVain(_ state: String, clock: String, microseconds: UInt32) throws {
        let daemon = try DaemonFixture(state, clock: clock, isReady: false)
        usleep(microseconds)
        guard daemon.end(by: SIGKILL) == -SIGKILL else { throw NotHeard(text: daemon.process.hearAll()) }
    }

    /// Reads the log up to this text. Returns the log up to there.
    @discardableResult
    package func hear(_ text: String) throws -> String {
        guard let said = process.hear(text) else { throw NotHeard(text: text) }
        return said
    }

    /// Kills the process, as a power cut would.
    package func kill() { end(by: SIGKILL) }

    /// Ends the process, as systemd would. Returns the exit status.
    @discardableResult
    package func end(by signal: Int32 = SIGTERM) -> Int32 {
        guard !hasEnded else { return 0 }
        hasEnded = true
        process.signal(signal)
        return process.exitStatus()
    }

    package func client() throws -> Client { try Client(of: socket) }

    package func setClock(_ instant: String) throws {
        try client().ask(#"{"do":"simulate","clock":"\#(instant)"}"#)
    }

    /// Returns a client that receives the current status and each change.
    package func follower() throws -> Client {
        let client = try client()
        client.say(Array("{\"do\":\"follow\"}\n".utf8))
        return client
    }

    /// Follows the status until the condition holds. Returns that status.
    @discardableResult
    package func follow(until isWanted: (JSON) -> Bool) throws -> JSON { try follower().hearStatus(until: isWanted) }
}

extension Client {
    @discardableResult
    package func hearStatus(until isWanted: (JSON) -> Bool) throws -> JSON {
        while true {
            guard let status = try hear()["status"] else { throw Client.Gone() }
            if isWanted(status) { return status }
        }
    }
}

extension JSON {
    /// True if the first session of a status rings. Without buttons its challenge begins at once.
    package var isRinging: Bool { [.string("ringing"), .string("challenged")].contains(self["sessions.0.state"]) }
}
