// A name in the file system at which clients of this machine knock.

import CLinux
import Glibc
import Loop

/// Why there is no socket.
public struct ListeningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was not to be had.
    public let what: String
    /// The system's reason.
    public let errorNumber: Int32

    /// In words.
    public var description: String { "\(what): \(String(cString: strerror(errorNumber)))" }
}

/// A socket that listens. Only its owner's user and group may speak to it.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    private let path: String
    private let mark: FileMark?
    /// What its owner should know; nothing where all is as it should be.
    let problem: String?

    enum Knock {
        case client(Int32)
        case nobody
        /// There is no descriptor left for another one.
        case noRoom
    }

    /// What a service that is gone has left at that path makes room; somebody who listens there, or anything else, does not.
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
        problem = ListeningSocket.give(path, to: group)
    }

    deinit {
        close(descriptor)
    }

    private static func makeRoom(at path: String, for address: SocketAddress) -> Bool {
        guard let mark = FileMark(path) else { return true }
        guard mark.isSocket else { return false }
        // It must not wait for somebody who never lets anybody in: whatever rings is on the same loop.
        let knocking = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(knocking) }
        guard knocking >= 0, address.with({ connect(knocking, $0, $1) }) != 0, errno == ECONNREFUSED else {
            return false
        }
        return unlink(path) == 0
    }

    /// Answers with what is wrong with that. Then it is for the service's own group.
    private static func give(_ path: String, to group: String?) -> String? {
        guard let group else { return nil }
        guard let number = number(ofGroup: group) else {
            return "There is no group \(group) in /etc/group: only roosterd's own user and root may use \(path)"
        }
        guard chown(path, uid_t.max, number) != 0 else { return nil }
        return "The group \(group) may not use \(path): \(String(cString: strerror(errno)))"
    }

    /// By the machine's own list, and no other: whoever has to be asked in the network may never answer, and whatever rings is
    /// on the same loop.
    private static func number(ofGroup name: String) -> gid_t? {
        guard let list = fopen("/etc/group", "re") else { return nil }
        defer { fclose(list) }
        while let entry = fgetgrent(list) {
            if String(cString: entry.pointee.gr_name) == name { return entry.pointee.gr_gid }
        }
        return nil
    }

    func accept() -> Knock {
        let client = linux_accept(descriptor)
        if client >= 0 { return .client(client) }
        return errno == EMFILE || errno == ENFILE ? .noRoom : .nobody
    }

    /// Nobody knocks here any more. What has taken its place is somebody else's.
    func remove() {
        if FileMark(path) == mark { unlink(path) }
    }
}

/// What tells a file from another that has its name.
private struct FileMark: Equatable {
    let device: dev_t
    let inode: ino_t
    let isSocket: Bool

    /// Nothing where there is no file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        (device, inode, isSocket) = (status.st_dev, status.st_ino, status.st_mode & S_IFMT == S_IFSOCK)
    }
}
