// The web fixture: a service with a control socket and the socket for clients over HTTP.

import API
import Clients
import Engine
import Fixtures
import JSON
import Oracles
import Service

@testable import ControlServer

/// A socket for clients over HTTP, beside the control socket.
struct WebFixture {
    let base: SocketFixture
    let path: String

    /// Adds a token over the control socket.
    func token(_ name: String, may: Permission) throws -> String {
        let line = #"{"do":"addToken","name":"\#(name)","may":"\#(may.rawValue)"}"#
        guard case .string(let token)? = try control().ask(line)["token"] else { throw Client.Gone() }
        return token
    }

    func control() throws -> Client { try Client(of: base.path) }

    func client() throws -> Client { try Client(of: path) }
}

/// Runs a service with both sockets and an alarm. `addButtons` gives it buttons.
func withWebSocket(
    in directory: Scratch? = nil, addButtons: @escaping (inout Bedside) -> Void = { _ in },
    _ body: (WebFixture) async throws -> Void
) async throws {
    try await withSocket(in: directory, addPeripherals: addButtons) { base in
        _ = await base.base.ask(.save(.daily("work", "07:00")), "work")
        let path = "\(base.base.directory)/web.sock"
        let socket = try ControlSocket(at: path, group: nil, for: .clients, to: base.base.service, on: base.base.loop)
        try await socket.open()
        try await body(WebFixture(base: base, path: path))
        await socket.close()
    }
}

/// Returns the line of a request with a token.
func webLine(_ request: String, _ token: String? = nil, _ members: String = "") -> String {
    let token = token.map { #","token":"\#($0)""# } ?? ""
    return #"{"do":"\#(request)"\#(token)\#(members)}"#
}
