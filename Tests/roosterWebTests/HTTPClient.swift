// A client of HTTP, like a script or a browser.

import Fixtures
import Foundation

/// A blocking client with one connection, which it opens again if the server has closed it.
final class HTTPClient {
    private let port: UInt16
    private let token: String?
    private var descriptor: Int32 = -1

    init(_ port: UInt16, token: String? = nil) { (self.port, self.token) = (port, token) }

    deinit { disconnect() }

    /// The error if the connection was lost before the response was complete.
    struct Lost: Error {}

    @discardableResult
    func ask(
        _ method: String, _ path: String, _ body: String? = nil, _ headers: [String] = []
    ) throws -> HTTPReply {
        try send(HTTPCall(method, path, headers, body: body))
    }

    /// Sends a request and returns its response.
    func send(_ call: HTTPCall) throws -> HTTPReply {
        if descriptor < 0 { try connect() }
        do {
            try send(call.bytes(token: token))
            let reply = try receive(isHeadOnly: call.method == "HEAD")
            if reply.headers["connection"] == "close" { disconnect() }
            return reply
        } catch {
            disconnect()
            throw error
        }
    }

    private func connect() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            disconnect()
            throw Lost()
        }
    }

    private func disconnect() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Lost() }
            rest = rest.dropFirst(count)
        }
    }

    private func receive(isHeadOnly: Bool) throws -> HTTPReply {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let split = bytes.firstRange(of: end) {
                let (head, body) = (bytes[..<split.lowerBound], bytes[split.upperBound...])
                let reply = try HTTPReply(head: String(decoding: head, as: UTF8.self), body: "")
                // Such a response has the length of the body that it leaves out.
                if isHeadOnly || reply.status == 304 { return reply }
                let length = reply.headers["content-length"].flatMap { Int($0) } ?? 0
                if body.count >= length {
                    return reply.with(body: body.prefix(length))
                }
            }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { throw Lost() }
            bytes += piece.prefix(count)
        }
    }
}
