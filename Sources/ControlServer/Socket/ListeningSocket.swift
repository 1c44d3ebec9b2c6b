// The listening socket, and its file in the file system.

import CLinux
import Glibc
import System

package struct ListeningError: Error, Hashable, Sendable, CustomStringConvertible {
    package let what: String
    package let errorNumber: Int32

    package var description: String { "\(what): \(String(cString: strerror(errorNumber)))" }
}

/// A listening socket. File permissions admit only its user and its group.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    private let path: String
    private let mark: FileMark?
    let problem: String?

    enum AcceptResult {
        case client(Int32)
        case none
        /// No descriptor is left.
        case noRoom
    }

    /// Replaces the file that an ended service has left. Throws if the file is in use, or is not a socket.
    init(at path: String, group: String?) throws(ListeningError) {
        guard let address = SocketAddress(path: path) else {
            throw ListeningError(what: "the socket \(path)", errorNumber: ENAMETOOLONG)
        }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw ListeningError(what: "a socket", errorNumber: errno) }
        guard ListeningSocket.makeRoom(at: path, for: address) else {
            close(descriptor)
            throw ListeningError(what: "the socket \(path)", errorNumber: EADDRINUSE)
        }
        let bound = address.with { bind(descriptor, $0, $1) }
        guard bound == 0, chmod(path, 0o660) == 0, listen(descriptor, SOMAXCONN) == 0 else {
            let number = errno
            close(descriptor)
            throw ListeningError(what: "the socket \(path)", errorNumber: number)
        }
        self.descriptor = descriptor
        self.path = path
        mark = FileMark(path)
        problem = ListeningSocket.assign(path, to: group)
    }

    deinit {
        close(descriptor)
    }

    private static func makeRoom(at path: String, for address: SocketAddress) -> Bool {
        guard let mark = FileMark(path) else { return true }
        guard mark.isSocket else { return false }
        // Non-blocking: a process that listens but never accepts must not block the event loop.
        let probe = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(probe) }
        guard probe >= 0, address.with({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED else {
            return false
        }
        return unlink(path) == 0
    }

    /// Gives the file to a group. Returns the problem if the file has to keep the group of the service.
    private static func assign(_ path: String, to group: String?) -> String? {
        guard let group else { return nil }
        guard let number = number(ofGroup: group) else {
            return "There is no group \(group) in /etc/group: only roosterd's own user and root may use \(path)"
        }
        guard chown(path, uid_t.max, number) != 0 else { return nil }
        return "The group \(group) cannot use \(path) (\(String(cString: strerror(errno))))"
    }

    /// Returns the number of a group in /etc/group. `getgrnam` may query a directory server that never
    /// answers, and so block the event loop.
    private static func number(ofGroup name: String) -> gid_t? {
        guard let list = fopen("/etc/group", "re") else { return nil }
        defer { fclose(list) }
        while let entry = fgetgrent(list) {
            if String(cString: entry.pointee.gr_name) == name { return entry.pointee.gr_gid }
        }
        return nil
    }

    func accept() -> AcceptResult {
        let client = linux_accept(descriptor)
        if client >= 0 { return .client(client) }
        return errno == EMFILE || errno == ENFILE ? .noRoom : .none
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        if FileMark(path) == mark { unlink(path) }
    }
}

private struct FileMark: Equatable {
    let device: dev_t
    let inode: ino_t
    let isSocket: Bool

    /// Fails if the path has no file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode, isSocket) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT == S_IFSOCK)
    }
}
