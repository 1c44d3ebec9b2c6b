// The sockets on which browsers and scripts connect.

import CLinux
import Glibc
import HTTP
import System

/// A listening socket. systemd made it, or this process.
package final class Listener: Sendable {
    package let descriptor: Int32
    /// The address as people write it, such as `127.0.0.1:8080` or a path.
    package let name: String

    /// Takes over a listening socket, such as one that systemd has passed.
    package init(adopting descriptor: Int32, name: String) {
        (self.descriptor, self.name) = (descriptor, name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Listens on an IPv4 address. Port 0 takes a free one.
    package init(_ address: String, port: UInt16) throws(ListenFailure) {
        var socketAddress = sockaddr_in()
        socketAddress.sin_family = sa_family_t(AF_INET)
        socketAddress.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &socketAddress.sin_addr) == 1 else {
            throw ListenFailure(address: address, errorNumber: EINVAL)
        }
        let socket = try Listener.socket(AF_INET, address)
        descriptor = socket
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafePointer(to: &socketAddress) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
        }
        guard bound == 0, listen(socket, SOMAXCONN) == 0 else {
            let number = errno
            close(socket)
            throw ListenFailure(address: "\(address):\(port)", errorNumber: number)
        }
        name = "\(address):\(Listener.port(of: socket) ?? port)"
    }

    /// Listens on a path, for a front end that adds TLS. An earlier socket there is replaced.
    package init(path: String) throws(ListenFailure) {
        guard let address = SocketAddress(path: path) else { throw ListenFailure(address: path, errorNumber: EINVAL) }
        let socket = try Listener.socket(AF_UNIX, path)
        descriptor = socket
        name = path
        unlink(path)
        guard address.with({ bind(socket, $0, $1) }) == 0, chmod(path, 0o660) == 0,
            listen(socket, SOMAXCONN) == 0
        else {
            let number = errno
            close(socket)
            throw ListenFailure(address: path, errorNumber: number)
        }
    }

    deinit { close(descriptor) }

    private static func socket(_ family: Int32, _ address: String) throws(ListenFailure) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(family, type, 0)
        guard descriptor >= 0 else { throw ListenFailure(address: address, errorNumber: errno) }
        return descriptor
    }

    /// Returns the port of a listening socket; nil for a path.
    private static func port(of descriptor: Int32) -> UInt16? {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // The port is at the same place in the addresses of IPv4 and IPv6.
        let isInternet = [AF_INET, AF_INET6].contains(Int32(address.sin6_family))
        return result == 0 && isInternet ? UInt16(bigEndian: address.sin6_port) : nil
    }
}

package struct ListenFailure: Error, CustomStringConvertible {
    let address: String
    let errorNumber: Int32

    package var description: String {
        "Cannot listen on \(address): \(String(cString: strerror(errorNumber)))"
    }
}
