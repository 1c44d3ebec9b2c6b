// The connection to the running service: it sends and receives lines, and every wait has a deadline.

import Glibc
import System
import Text

enum ConnectionError: Error, Hashable {
    case notRunning, notAllowed, busy, late
    /// The descriptor `interruption` became readable.
    case interrupted
    /// The service closed the connection before it had answered.
    case closed
    /// The answer is longer than `answerBytesMax`.
    case tooLong
    case badPath
    case system(Int32)
}

final class ServiceConnection {
    /// The socket, which a caller may poll together with others.
    let descriptor: Int32
    /// A descriptor that ends a wait when it becomes readable; negative for none.
    private let interruption: Int32
    private var lines = LineBuffer()

    /// The bound on an answer: roosterd sends no longer one.
    private static let answerBytesMax = 64 << 20

    init(to path: String, timeouts: Timeouts, interruption: Int32 = -1) throws(ConnectionError) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno) }
        (self.descriptor, self.interruption) = (descriptor, interruption)
        // If the queue of the listener is full, connect blocks, at most for the send timeout.
        var limit = timeval(tv_sec: timeouts.connectMilliseconds / 1000, tv_usec: 0)
        limit.tv_usec = suseconds_t(timeouts.connectMilliseconds % 1000 * 1000)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard let address = SocketAddress(path: path) else { throw .badPath }
        guard address.with({ connect(descriptor, $0, $1) }) != 0 else { return }
        switch errno {
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .notRunning
        case EACCES, EPERM: throw .notAllowed
        case EAGAIN: throw .busy
        case let number: throw .system(number)
        }
    }

    deinit { close(descriptor) }

    func send(_ line: String, before deadline: CallDeadline) throws(ConnectionError) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            // Without MSG_NOSIGNAL, a service that has ended would kill this process with SIGPIPE.
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard try wait(for: POLLOUT, deadline) else { throw .late }
            } else if errno == EPIPE || errno == ECONNRESET {
                // The service may have sent its reason before it closed: `receive` reads that next.
                return
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Returns the next line, or nil if none is complete at the deadline.
    func receive(before deadline: CallDeadline) throws(ConnectionError) -> [UInt8]? {
        while true {
            if let line = lines.next() { return Array(line) }
            guard !lines.isLonger(than: ServiceConnection.answerBytesMax) else { throw .tooLong }
            guard try wait(for: POLLIN, deadline) else { return nil }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                lines.add(chunk.prefix(count))
            } else if count == 0 || errno == ECONNRESET {
                throw .closed
            } else if errno != EINTR, errno != EAGAIN {
                throw .system(errno)
            }
        }
    }

    /// Returns true if the event comes before the deadline. Throws if `interruption` becomes readable.
    private func wait(for event: Int32, _ deadline: CallDeadline) throws(ConnectionError) -> Bool {
        var watched = [
            pollfd(fd: descriptor, events: Int16(event), revents: 0),
            pollfd(fd: interruption, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let milliseconds = deadline.millisecondsLeft
            let count = poll(&watched, nfds_t(watched.count), Int32(milliseconds))
            if watched[0].revents != 0 { return true }
            if count > 0 { throw .interrupted }
            if count < 0, errno != EINTR { throw .system(errno) }
            // The deadline is checked after poll, so that data that is already there is read even after the
            // deadline.
            if milliseconds == 0 { return false }
        }
    }
}

/// Returns true if the descriptor becomes readable before the timeout. A signal may end the wait early.
func isReadable(_ descriptor: Int32, milliseconds: Int) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, Int32(milliseconds)) > 0
}

struct Timeouts: Hashable, Sendable {
    /// The time until the service accepts the connection.
    var connectMilliseconds = 10_000
    /// The time until the service answers. A slow disk can delay an answer by some 12 seconds.
    var answerMilliseconds = 20_000
}

/// The end of a wait, by the monotonic clock.
struct CallDeadline {
    private let uptimeMilliseconds: Int

    init(in milliseconds: Int) { uptimeMilliseconds = Uptime.milliseconds + milliseconds }

    /// The remaining time, at least zero, and at most a minute for a single poll.
    var millisecondsLeft: Int { min(60_000, max(0, uptimeMilliseconds - Uptime.milliseconds)) }
}

/// The group and the user that may connect, by the permissions of the socket.
struct SocketOwner {
    /// The group that may connect; nil if only the user may, or if the group is unknown.
    private var group: String?
    private var user: String?

    init(_ path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else {
            // This user may not search the directory, so it probably belongs to an installed service. The
            // installation has made the standard group.
            if getgrnam(SocketOwner.standardGroup) != nil { group = SocketOwner.standardGroup }
            return
        }
        if file.st_mode & S_IWGRP != 0, let entry = getgrgid(file.st_gid) {
            group = String(cString: entry.pointee.gr_name)
        }
        if let entry = getpwuid(file.st_uid) { user = String(cString: entry.pointee.pw_name) }
    }

    private static let standardGroup = "rooster"

    func advice(for name: String) -> String {
        if let group = group?.inOneLine {
            // No user should join the group of the administrator.
            guard group != "root" else {
                let standard = SocketOwner.standardGroup
                return getgrnam(standard) == nil
                    ? "This machine has no group \(standard): install Rooster again, or set 'control.group' in "
                        + "/etc/rooster/rooster.conf"
                    : "The socket belongs to the group root: set 'control.group' in /etc/rooster/rooster.conf"
            }
            return "Your user is not in the group \(group): run 'sudo adduser \(name) \(group)', then log in again"
        }
        guard let user = user?.inOneLine else { return "Only another user may open the directory of its socket" }
        return "Only the user \(user) may"
    }
}
