// A socket that listens, for tests whose service is not a real one.

import Glibc

/// Opens a local socket that listens at the path, and returns its descriptor.
package func listeningSocket(at path: String, isBlocking: Bool = true) throws -> Int32 {
    let kind = isBlocking ? SOCK_STREAM.rawValue : SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue
    let listener = socket(AF_UNIX, Int32(kind), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
    guard result == 0, listen(listener, SOMAXCONN) == 0 else { throw Client.Gone() }
    return listener
}
