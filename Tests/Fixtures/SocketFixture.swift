// The socket fixture: a service with a control socket, which a test may open later.

import ControlServer
import Devices
import JSON
import Oracles
import Service
import Sound

package struct SocketFixture {
    package let base: ServiceFixture
    package let socket: ControlSocket
    package let path: String
}

/// Runs a service with a control socket during the body.
///
/// - Parameter directory: the directory of an earlier service, or nil for a new one.
package func withSocket(
    _ timeouts: ClientTimeouts = ClientTimeouts(), in directory: Scratch? = nil, sounds: (any SoundLibrary)? = nil,
    warnings: [String] = [], camera: (any Camera)? = nil,
    addPeripherals: (inout Bedside) -> Void = { _ in }, isOpen: Bool = true,
    isolation: isolated (any Actor)? = #isolation, _ body: (SocketFixture) async throws -> Void
) async throws {
    let hardware = camera == nil ? ChallengeHardware() : ChallengeHardware(kinds: [.math, .qr, .roulette])
    try await withService(
        hardware: hardware, in: directory, warnings: warnings, sounds: sounds, camera: { _ in camera },
        addPeripherals: addPeripherals
    ) { base in
        let path = "\(base.directory)/control.sock"
        let socket = try ControlSocket(
            at: path, group: nil, to: base.service, on: base.loop, timeouts: timeouts)
        if isOpen { try await socket.open() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(SocketFixture(base: base, socket: socket, path: path)))
        } catch {
            result = .failure(error)
        }
        await socket.close()
        try result.get()
    }
}

extension Client {
    /// Sends a line without waiting for its response.
    package func send(_ line: String) { say(Array("\(line)\n".utf8)) }

    /// Sends a line, and returns the list at that path of the response.
    package func list(_ place: String, in line: String) throws -> [JSON] {
        guard case .array(let elements)? = try ask(line)[place] else { throw Gone() }
        return elements
    }
}
