// A socket that listens, for tests whose service is not a real one.

import Glibc
import System

/// Opens a local socket that listens at the path, and returns its descriptor.
package func listeningSocket(at path: String, isBlocking: Bool = true) throws -> Int32 {
    let kind = isBlocking ? SOCK_STREAM.rawValue : SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue
    let listener = socket(AF_UNIX, Int32(kind), 0)
    let isBound = SocketAddress(path: path)?.with { bind(listener, $0, $1) == 0 } ?? false
    guard isBound, listen(listener, SOMAXCONN) == 0 else {
        close(listener)
        throw Client.Gone()
    }
    return listener
}
