// A real roosterd with simulated devices, and a real rooster-web.

import Fixtures
import Foundation
import JSON
import Oracles

/// The two programs. Each can be killed and started again.
final class WebFixture {
    let scratch: Scratch
    private let configuration: String?
    private(set) var daemon: DaemonFixture
    private var web: Dialogue
    private(set) var port: UInt16
    let token: String

    /// The simulated time at the start.
    static let start = "2024-03-09T15:00:00-05:00"

    /// `buttons`: the device has both.
    init(speed: Int = 1, buttons: Bool = false) throws {
        scratch = try Scratch()
        let lines = #"buttons: { snooze = "GPIO17"; stop = "GPIO27"; };"#
        configuration = buttons ? try scratch.file("rooster.conf", holding: lines).path : nil
        daemon = try DaemonFixture(
            scratch.path, clock: WebFixture.start, speed: speed, configuration: configuration)
        (web, port) = try WebFixture.startWeb(scratch.path)
        let made = try daemon.client().ask(#"{"do":"addToken","name":"test","may":"change"}"#)
        guard case .string(let token)? = made["token"] else { throw Client.Gone() }
        self.token = token
    }

    deinit { web.signal(SIGKILL) }

    private static func startWeb(_ state: String, port: UInt16 = 0) throws -> (Dialogue, UInt16) {
        let web = try Dialogue(
            Program.built("rooster-web"), ["--socket", "\(state)/web.sock", "--listen", "127.0.0.1:\(port)"])
        guard web.hear("Listening on 127.0.0.1:") != nil, let text = web.hear("\n"),
            let number = UInt16(text.dropLast())
        else { throw Client.Gone() }
        return (web, number)
    }

    /// Kills rooster-web, and starts it again on the same port.
    func killWeb() throws {
        web.signal(SIGKILL)
        _ = web.exitStatus()
        (web, port) = try WebFixture.startWeb(scratch.path, port: port)
    }

    /// The number of open descriptors of rooster-web.
    var webDescriptorCount: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(web.process)/fd").count }
    }

    func killDaemon() { daemon.kill() }

    /// Starts roosterd again, at a simulated time.
    func startDaemon(clock: String, speed: Int = 1) throws {
        daemon = try DaemonFixture(scratch.path, clock: clock, speed: speed, configuration: configuration)
    }

    func client(token: String? = nil) -> HTTPClient { HTTPClient(port, token: token ?? self.token) }

    /// A client without a token.
    func stranger() -> HTTPClient { HTTPClient(port) }

}
