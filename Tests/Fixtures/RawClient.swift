// A client of the web server that sends bytes as they are.

import Glibc

/// A TCP connection to the loopback.
package final class RawClient {
    package let descriptor: Int32

    package init(_ port: UInt16) throws {
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

    package struct NoConnection: Error {}

    package func send(_ text: String) {
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
    package func receive(until end: String? = nil) -> String {
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
