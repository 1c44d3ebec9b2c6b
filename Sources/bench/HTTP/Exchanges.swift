// A client that measures requests and responses on several connections at once, from one thread.

import Glibc
import System

/// The form of requests and responses: a line, or HTTP.
enum WireForm {
    case lines
    case http

    /// Returns true if these bytes are a whole response.
    func isWhole(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .lines: return bytes.last == UInt8(ascii: "\n")
        case .http:
            guard let body = bytes.end(of: "\r\n\r\n"), let number = bytes.end(of: "Content-Length: ")
            else { return false }
            let digits = bytes[number...].prefix { (0x30...0x39).contains($0) }
            return bytes.count - body >= digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
        }
    }

    func isSuccess(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .lines: bytes.starts(with: #"{"ok":true"#.utf8)
        case .http: bytes.starts(with: "HTTP/1.1 200".utf8)
        }
    }
}

extension [UInt8] {
    /// Returns the index behind the first occurrence of a text. The servers share the processors with this
    /// client, so it must be fast.
    fileprivate func end(of text: String) -> Int? {
        let text = Array(text.utf8)
        let starts = indices.dropLast(text.count - 1)
        return starts.first { self[$0] == text[0] && self[$0...].starts(with: text) }.map { $0 + text.count }
    }
}

/// A server to measure: its address and the form in which it speaks.
struct MeasuredServer {
    enum Address {
        case path(String)
        case port(UInt16)
    }

    let address: Address
    let form: WireForm

    /// Connects, and tries again for some seconds while the server starts.
    func connect() throws -> Int32 {
        for _ in 0..<200 {
            let descriptor: Int32
            let result: Int32
            switch address {
            case .path(let path):
                descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                result = SocketAddress(path: path)?.with { Glibc.connect(descriptor, $0, $1) } ?? -1
            case .port(let port):
                descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
                var yes: Int32 = 1
                setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                result = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
            if result == 0 { return descriptor }
            close(descriptor)
            usleep(50_000)
        }
        throw BenchmarkRefusal.wrongAnswer("no server answers at \(address)")
    }
}

/// Connections to one server.
final class Exchanges {
    private let server: MeasuredServer
    private var descriptors: [Int32] = []

    init(_ server: MeasuredServer, connections count: Int) throws {
        self.server = server
        for _ in 0..<count { descriptors.append(try server.connect()) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Sends this many requests, one at a time on each connection. Returns the time of each in milliseconds.
    func run(_ count: Int, _ request: (Int) -> String) throws -> [Double] {
        var samples: [Double] = []
        var begun = 0
        var started = [Int](repeating: 0, count: descriptors.count)
        var received = [[UInt8]](repeating: [], count: descriptors.count)
        func begin(_ index: Int) throws {
            let bytes = Array(request(begun).utf8)
            begun += 1
            received[index] = []
            started[index] = bootNanoseconds()
            guard send(descriptors[index], bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
                throw BenchmarkRefusal.wrongAnswer("a request could not be sent")
            }
        }
        for index in descriptors.indices where begun < count { try begin(index) }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while samples.count < count {
            var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&watched, nfds_t(watched.count), 10_000) > 0 else {
                throw BenchmarkRefusal.wrongAnswer("a request was not answered")
            }
            for (index, state) in watched.enumerated() where state.revents != 0 {
                let size = recv(state.fd, &piece, piece.count, 0)
                guard size > 0 else { throw BenchmarkRefusal.wrongAnswer("a connection was closed") }
                received[index] += piece.prefix(size)
                guard server.form.isWhole(received[index]) else { continue }
                guard server.form.isSuccess(received[index]) else {
                    let text = String(decoding: received[index].prefix(300), as: UTF8.self)
                    throw BenchmarkRefusal.wrongAnswer("a request failed: \(text)")
                }
                samples.append(milliseconds(from: started[index], to: bootNanoseconds()))
                if begun < count { try begin(index) } else { started[index] = .max }
            }
        }
        return samples
    }
}
