// A client that sends bytes as they are, and a server with a simple handler.

import EventLoop
import Glibc
import HTTP
import Synchronization
import System

@testable import WebServer

/// A TCP connection to the loopback.
final class RawClient {
    let descriptor: Int32

    init(_ port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let number = descriptor
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NoConnection() }
    }

    deinit { close(descriptor) }

    struct NoConnection: Error {}

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Receives until the text contains `end`, the server closes, or 20 seconds have passed.
    func receive(until end: String? = nil) -> String {
        var text = ""
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&watched, 1, 20_000) > 0 {
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return text + "<closed>" }
            text += String(decoding: piece.prefix(count), as: UTF8.self)
            if let end, text.contains(end) { return text }
        }
        return text + "<silent>"
    }
}

/// Answers each request with its own description.
struct Echo: WebHandler {
    func bodyLimit(_ request: HTTPRequest) -> BodyLimit { .ordinary }

    func handle(_ request: HTTPRequest, _ body: [UInt8], _ answer: @escaping @Sendable (Answer) -> Void) {
        let size = request.path.last.flatMap { Int($0) }
        let text = size.map { String(repeating: "x", count: $0) } ?? "\(request) with \(body.count) bytes"
        answer(Answer(HTTPResponse(.ok, .bytes(Array(text.utf8))), isKnown: request.path == ["known"]))
    }
}

/// Starts a server on a free port of the loopback, and passes on its port.
func withServer(
    _ handler: any WebHandler = Echo(), _ body: @Sendable (_ port: UInt16, _ loop: EventLoop) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start(named: "web")
    let listener = try Listener("127.0.0.1", port: 0)
    let port = UInt16(listener.name.split(separator: ":")[1]) ?? 0
    let server = WebServer([listener], RequestGate(hosts: HostPolicy(hostName: "bed")), handler, on: loop)
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
