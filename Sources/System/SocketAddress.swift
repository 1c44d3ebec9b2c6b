// Where a socket of this machine is.

import Glibc

/// The address of a socket that whoever is on the machine may come upon.
package struct SocketAddress: Sendable {
    private var address = sockaddr_un()
    private let length: socklen_t

    /// A place among the files; nothing where no socket can be there.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        self.init(bytes + [0])
    }

    /// A name that is in no directory.
    package init?(name: some StringProtocol) {
        guard !name.isEmpty else { return nil }
        self.init([0] + Array(name.utf8))
    }

    /// Of a name each byte counts, and no more.
    private init?(_ bytes: [UInt8]) {
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count <= room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
    }

    /// Lets the system see it.
    package func with<Answer>(_ act: (UnsafePointer<sockaddr>, socklen_t) -> Answer) -> Answer {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { act($0, length) }
        }
    }
}
