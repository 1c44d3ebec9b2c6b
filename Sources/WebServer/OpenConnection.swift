// A connection, and the means to end it.

import Glibc
import HTTP

/// A connection of a client. libmicrohttpd owns its descriptor, and the duplicate here ends it: libmicrohttpd
/// knows no deadline for a whole request.
final class OpenConnection {
    let id: ConnectionTable.ID
    let addresses: ConnectionAddresses
    /// The request in progress.
    var exchange: Exchange?
    private let duplicate: Int32

    init(_ descriptor: Int32, _ id: ConnectionTable.ID, _ addresses: ConnectionAddresses) {
        (self.id, self.addresses) = (id, addresses)
        duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    deinit { close(duplicate) }

    /// Ends the connection. libmicrohttpd notices and closes its descriptor.
    func cut() {
        shutdown(duplicate, Int32(SHUT_RDWR))
        // libmicrohttpd does not notice the end of a suspended connection.
        exchange?.end()
        exchange?.resume()
    }
}

extension ConnectionAddresses {
    /// Reads the two ends of a connected socket; nil if it has lost them.
    init?(of descriptor: Int32) {
        guard let local = NetworkAddress(of: descriptor, getsockname),
            let peer = NetworkAddress(of: descriptor, getpeername)
        else { return nil }
        self.init(local: local, peer: peer)
    }
}

extension NetworkAddress {
    fileprivate typealias Call = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

    fileprivate init?(of descriptor: Int32, _ call: Call) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        let address: NetworkAddress? = withUnsafeBytes(of: &storage) { bytes in
            switch Int32(bytes.load(as: sockaddr.self).sa_family) {
            case AF_UNIX: .unix
            case AF_INET: withUnsafeBytes(of: bytes.load(as: sockaddr_in.self).sin_addr) { NetworkAddress(bytes: $0) }
            case AF_INET6:
                withUnsafeBytes(of: bytes.load(as: sockaddr_in6.self).sin6_addr) { NetworkAddress(bytes: $0) }
            default: nil
            }
        }
        guard let address else { return nil }
        self = address
    }
}
