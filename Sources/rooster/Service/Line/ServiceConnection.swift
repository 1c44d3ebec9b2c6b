// The socket to the running service: lines out, lines in, and never a wait without an end.

import Glibc
import Loop
import Text

enum ConnectionError: Error, Hashable {
    case notRunning, notAllowed, busy, late
    /// Whoever waited for it has had enough.
    case interrupted
    /// It closed the connection before it had answered.
    case closed
    /// It sends what is no line of this protocol.
    case tooLong
    case badPath
    case system(Int32)
}

final class ServiceConnection {
    /// To wait for it together with others.
    let descriptor: Int32
    /// What ends a wait when there is something to read; none below zero.
    private let interruption: Int32
    private var received: [UInt8] = []
    /// How much of that was searched for the end of a line.
    private var searched = 0

    /// An answer that is longer is no answer.
    private static let answerBytesMax = 64 << 20

    init(to path: String, timeouts: Timeouts, interruption: Int32 = -1) throws(ConnectionError) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno) }
        (self.descriptor, self.interruption) = (descriptor, interruption)
        // While too many wait to be let in, connecting waits as sending does.
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

    func send(_ line: String, before deadline: Deadline) throws(ConnectionError) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            // A service that is gone must not end this process by a signal.
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard try wait(for: POLLOUT, deadline) else { throw .late }
            } else if errno == EPIPE || errno == ECONNRESET {
                // It may have said why before it closed: that is read next.
                return
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// The next line; nothing when none is whole at the deadline.
    func receive(before deadline: Deadline) throws(ConnectionError) -> [UInt8]? {
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = received.count
            guard searched <= ServiceConnection.answerBytesMax else { throw .tooLong }
            guard try wait(for: POLLIN, deadline) else { return nil }
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                received += chunk.prefix(count)
            } else if count == 0 || errno == ECONNRESET {
                throw .closed
            } else if errno != EINTR, errno != EAGAIN {
                throw .system(errno)
            }
        }
    }

    /// Whether it came to that before the deadline.
    private func wait(for event: Int32, _ deadline: Deadline) throws(ConnectionError) -> Bool {
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
            // What is there already is taken, however late it is.
            if milliseconds == 0 { return false }
        }
    }
}

/// Whether there is something to read within so long; a signal may end the wait before.
func isReadable(_ descriptor: Int32, milliseconds: Int) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, Int32(milliseconds)) > 0
}

/// How long is waited, in milliseconds.
struct Timeouts: Hashable, Sendable {
    /// Until it takes the call.
    var connectMilliseconds = 10_000
    /// Until it answers. A disk that is slow to write makes it take some 12 seconds.
    var answerMilliseconds = 20_000
}

/// The end of a wait, by a clock that nobody sets.
struct Deadline {
    private let uptimeMilliseconds: Int

    init(in milliseconds: Int) { uptimeMilliseconds = Uptime.milliseconds + milliseconds }

    /// Never below zero. No single wait is longer than a minute.
    var millisecondsLeft: Int { min(60_000, max(0, uptimeMilliseconds - Uptime.milliseconds)) }
}

/// Who may talk to the service, as far as its socket shows that.
struct SocketOwner {
    /// The group that may; nothing where none but its user may, or nobody can tell.
    private var group: String?
    private var user: String?

    init(_ path: String) {
        var file = stat()
        guard stat(path, &file) == 0 else {
            // Where the directory shows nothing it is that of the service as it is installed, if there is one.
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
            return "your user is not in the group \(group); 'sudo adduser \(name) \(group)', then log in again"
        }
        guard let user = user?.inOneLine else { return "its socket is in a directory that only another user may open" }
        return "it runs for the user \(user) alone"
    }
}
