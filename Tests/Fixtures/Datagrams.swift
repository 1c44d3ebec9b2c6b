// What the system hears of roosterd, one message at a time.

import Glibc

/// The end at which systemd, or its journal, listens.
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

    /// A name that begins with @ is in no directory: a zero stands in its place.
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

    /// Others tell so much that nothing more can be told until it listens; whether it is full.
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

    /// The next one; nothing when none comes.
    package func next(waits: Bool = true) -> String? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, waits ? 0 : Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
}
