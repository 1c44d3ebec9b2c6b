// A server with a simple handler.

import EventLoop
import HTTP
import Synchronization
import System

@testable import WebServer

/// Answers each request with its own description.
struct Echo: WebHandler {
    func bodyLimit(_ request: HTTPRequest) -> BodyLimit { request.path.first == "long" ? .fileImport : .ordinary }

    func admit(_ request: HTTPRequest, _ decide: @escaping @Sendable (HTTPResponse?) -> Void) {
        decide(request.credential == nil ? HTTPResponse(.unauthorized, .bytes(Array("Who?".utf8))) : nil)
    }

    func handle(_ request: HTTPRequest, _ body: [UInt8], _ answer: @escaping @Sendable (Answer) -> Void) {
        let size = request.path.last.flatMap { Int($0) }
        let text = size.map { String(repeating: "x", count: $0) } ?? "\(request) with \(body.count) bytes"
        answer(Answer(HTTPResponse(.ok, .bytes(Array(text.utf8))), isKnown: request.path == ["known"]))
    }
}

/// Starts a server on a free port of the loopback, and passes on its port.
func withServer(
    _ handler: any WebHandler = Echo(), occupied: (@Sendable (Bool) -> Void)? = nil,
    _ body: @Sendable (_ port: UInt16, _ loop: EventLoop) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start(named: "web")
    let listener = try Listener("127.0.0.1", port: 0)
    let port = UInt16(listener.name.split(separator: ":")[1]) ?? 0
    let gate = RequestGate(hosts: HostPolicy(hostName: "bed"))
    let server = WebServer([listener], gate, handler, on: loop, occupied: occupied)
    try await server.open()
    do {
        try await body(port, loop)
    } catch {
        await server.close()
        loop.end()
        throw error
    }
    await server.close()
    loop.end()
    loop.waitUntilEnded()
}
