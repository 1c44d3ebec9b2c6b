// The test client of the control socket. A test can make it behave well or badly.

import Glibc
import JSON
import System

/// One connection. Each read and write times out after 30 seconds.
package final class Client: Sendable {
    private let descriptor: Int32

    /// The error if the server has closed the connection or has not answered in time.
    package struct Gone: Error {
        package init() {}
    }

    package init(of path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let isConnected = SocketAddress(path: path)?.with { [descriptor] in connect(descriptor, $0, $1) == 0 } ?? false
        // All properties are set here, so `deinit` closes the descriptor even if `init` throws.
        guard isConnected else { throw Gone() }
    }

    deinit {
        close(descriptor)
    }

    /// Sends the bytes. A failure is ignored, because some tests write to a closed connection.
    package func say(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }

    /// Closes the sending half of the connection. The client can still receive.
    package func sayNoMore() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Returns the next line.
    package func hear() throws -> JSON {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw Gone() }
            if byte == UInt8(ascii: "\n") { return try JSON(parsing: line) }
            line.append(byte)
        }
    }

    /// Reads and drops all remaining bytes. Returns true if the server then closes the connection.
    package func isLetGo() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count <= 0 { return count == 0 || errno == ECONNRESET }
        }
    }

    /// Returns true if the socket becomes readable or closes within that time. Reads nothing.
    package func isCutOff(milliseconds: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&watched, 1, milliseconds) > 0
    }

    /// True if a read would return at once.
    package var isToldSomething: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) > 0
    }

    @discardableResult
    package func ask(_ line: String) throws -> JSON {
        say(Array("\(line)\n".utf8))
        return try hear()
    }
}

extension JSON {
    /// The value at a path such as `status.sessions.0.asked`, or nil if there is none.
    package subscript(_ place: String) -> JSON? {
        place.split(separator: ".").reduce(Optional(self)) { json, name in
            switch json {
            case .object(let members): members.first { $0.name == name }?.value
            case .array(let elements): Int(name).flatMap { $0 < elements.count ? elements[$0] : nil }
            default: nil
            }
        }
    }
}
