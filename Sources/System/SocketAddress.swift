// The address of a local socket.

import Glibc

/// A Unix socket address, either a path or an abstract name.
package struct SocketAddress: Sendable {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// Creates the address of a path. Nil if no socket can have this path.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        self.init(bytes + [0])
    }

    /// Creates an abstract address, which has no file.
    package init?(name: some StringProtocol) {
        guard !name.isEmpty else { return nil }
        self.init([0] + Array(name.utf8))
    }

    /// The kernel compares abstract names over their whole length, so `length` is exact.
    private init?(_ bytes: [UInt8]) {
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count <= room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
    }

    /// Passes the address to a system call.
    package func with<Answer>(_ act: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { act($0, length) }
        }
    }
}
