// The messages that roosterd sends to the system, one at a time.

import Glibc

/// The socket that stands in for systemd or its journal.
package final class Datagrams: Sendable {
    private let descriptor: Int32
    private let path: String

    package init(at path: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        self.path = path
        unlink(path)
        with(path) { _ = bind(descriptor, $0, $1) }
    }

    /// Calls `act` with the socket's address. A leading @ stands for the zero byte of an abstract name.
    private func with(_ path: String, _ act: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.utf8.map { $0 == UInt8(ascii: "@") ? 0 : $0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let size = MemoryLayout<sockaddr_un>.size - (bytes[0] == 0 ? 108 - bytes.count : 0)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { act($0, socklen_t(size)) }
        }
    }

    /// Fills the queue from another socket. Returns true if no further message fits.
    package func fillUp() -> Bool {
        let others = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(others) }
        with(path) { address, size in
            while sendto(others, "STATUS=busy", 11, Int32(MSG_DONTWAIT), address, size) > 0 {}
        }
        return errno == EAGAIN
    }

    deinit {
        close(descriptor)
    }

    /// Returns the next message, or nil if none comes within 30 seconds or, with `waits` false, at once.
    package func next(waits: Bool = true) -> String? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, waits ? 0 : Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
