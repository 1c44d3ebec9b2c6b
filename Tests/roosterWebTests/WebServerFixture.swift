// The web server fixture: a service, its socket for clients over HTTP, and the web server, in one process.

import API
import Clients
import ControlServer
import Engine
import EventLoop
import Fixtures
import HTTP
import JSON
import WebServer

@testable import rooster_web

struct WebServerFixture {
    let base: SocketFixture
    /// The socket of the service for the web server.
    let webSocket: String
    let port: UInt16

    /// Adds a script, and returns its token.
    func token(may: Permission = .change) throws -> String {
        let line = #"{"do":"addToken","name":"test","may":"\#(may.rawValue)"}"#
        guard case .string(let token)? = try Client(of: base.path).ask(line)["token"] else { throw Client.Gone() }
        return token
    }

    /// Sends a request on a connection of its own.
    func send(_ call: HTTPCall, _ token: String? = nil) throws -> HTTPReply {
        try HTTPClient(port, token: token).send(call)
    }

    /// Returns a line for the service with the token.
    func line(_ type: any Request.Type, _ token: String, _ more: String = "") -> String {
        let members = [#""token":"\#(token)""#, more].filter { !$0.isEmpty }
        return RequestExamples.line(type, members.joined(separator: ","))
    }
}

/// Runs a service with an alarm, and a web server with the files of a folder.
func withWebServer(page: String = "/nowhere", _ body: (WebServerFixture) async throws -> Void) async throws {
    try await withSocket { base in
        _ = await base.base.ask(.save(.daily("work", "07:00")), "work")
        let path = "\(base.base.directory)/web.sock"
        let socket = try ControlSocket(at: path, group: nil, for: .clients, to: base.base.service, on: base.base.loop)
        try await socket.open()
        let loop = try EventLoop()
        try loop.start(named: "web")
        let listener = try Listener("127.0.0.1", port: 0)
        let port = UInt16(listener.name.split(separator: ":")[1]) ?? 0
        let gate = RequestGate(hosts: HostPolicy(hostName: "bed"))
        let files = PageFiles(in: page)
        let server = WebServer(
            [listener], gate, APIHandler(ServiceLink(to: path, on: loop), files), on: loop,
            content: { files.content($0) })
        try await server.open()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(WebServerFixture(base: base, webSocket: path, port: port)))
        } catch {
            result = .failure(error)
        }
        await server.close()
        loop.end()
        loop.waitUntilEnded()
        await socket.close()
        try result.get()
    }
}
