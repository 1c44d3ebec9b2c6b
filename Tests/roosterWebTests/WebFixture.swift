// A real roosterd with simulated devices and a real rooster-web, and a client of HTTP.

import Fixtures
import Foundation
import JSON
import Oracles

/// The two programs. Each can be killed and started again.
final class WebFixture {
    let scratch: Scratch
    private(set) var daemon: DaemonFixture
    private var web: Dialogue
    private(set) var port: UInt16
    let token: String

    /// The simulated time at the start.
    static let start = "2024-03-09T15:00:00-05:00"

    init(speed: Int = 1) throws {
        scratch = try Scratch()
        daemon = try DaemonFixture(scratch.path, clock: WebFixture.start, speed: speed)
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

    func killDaemon() { daemon.kill() }

    /// Starts roosterd again, at a simulated time.
    func startDaemon(clock: String, speed: Int = 1) throws {
        daemon = try DaemonFixture(scratch.path, clock: clock, speed: speed)
    }

    func client(token: String? = nil) -> HTTPClient { HTTPClient(port, token: token ?? self.token) }
}

struct HTTPAnswer {
    let status: Int
    let headers: String
    let json: JSON

    subscript(path: String) -> JSON? { json[path] }

    /// Returns the value of a header.
    func header(_ name: String) -> String? {
        headers.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }
}

/// A blocking client with one connection, which it opens again if the server has closed it.
final class HTTPClient {
    let port: UInt16
    let token: String
    private var descriptor: Int32 = -1

    init(_ port: UInt16, token: String) { (self.port, self.token) = (port, token) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    struct Lost: Error {}

    /// Sends a request and returns its response. Throws if the connection is lost.
    @discardableResult
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, _ headers: [String] = []
    ) throws -> HTTPAnswer {
        if descriptor < 0 { try open() }
        var lines = ["\(method) /api/1\(path) HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer \(token)"] + headers
        if method != "GET" { lines.append("Content-Length: \(body?.utf8.count ?? 0)") }
        if body != nil { lines.append("Content-Type: application/json") }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
        do {
            try send(Array(text.utf8))
            return try receive()
        } catch {
            close(descriptor)
            descriptor = -1
            throw error
        }
    }

    private func open() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            descriptor = -1
            throw Lost()
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count == bytes.count else { throw Lost() }
    }

    private func receive() throws -> HTTPAnswer {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let split = bytes.firstRange(of: end) {
                let head = String(decoding: bytes[..<split.lowerBound], as: UTF8.self)
                let status = Int(head.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
                let answer = HTTPAnswer(status: status, headers: head, json: .null)
                let length = answer.header("Content-Length").flatMap { Int($0) } ?? 0
                let body = bytes[split.upperBound...]
                if body.count >= length {
                    let json = length == 0 ? JSON.null : try JSON(parsing: Array(body.prefix(length)))
                    if answer.header("Connection") == "close" { throw Lost() }
                    return HTTPAnswer(status: status, headers: head, json: json)
                }
            }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { throw Lost() }
            bytes += piece.prefix(count)
        }
    }
}
