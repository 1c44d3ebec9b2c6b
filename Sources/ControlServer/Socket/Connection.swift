// One client of the control socket.

import API
import CLinux
import EventLoop
import Glibc
import System

extension LineBuffer {
    /// The bound on a line. An alarm with dates, codes and texts takes some 720 bytes of a backup: 11,000 of those fit, and there
    /// are never more than 10,000. While it is parsed, a line takes up to thirty times its length in memory.
    static let bytesMax = 8 << 20
    /// A longer line takes a while to parse.
    static let shortBytesMax = 64 << 10
}

package struct ClientTimeouts: Hashable, Sendable {
    /// The longest pause within a line, and the longest time an answer may stay unread.
    package var stallMilliseconds = 10_000
    /// The longest pause between two requests.
    package var idleMilliseconds = 60_000
    /// The interval at which timeouts are checked, while a client could run into one.
    package var checkMilliseconds = 5000

    package init() {}
}

/// The buffers and the state of one connection. It has no behaviour of its own: the socket drives it.
final class Connection {
    enum Stage: Hashable {
        case listening
        case asking
        /// The client has subscribed to these events, and sends nothing more.
        case following(Set<Follow.Topic>)
    }

    let descriptor: Int32
    let user: String
    var watch: Watch?
    var stage = Stage.listening
    /// Whether the request is an enrolment or a test of a code, which is cancelled when the connection closes.
    var isScanning = false
    /// Whether the request is so long that it took memory of its own.
    var hasSentLongLine = false
    var lines = LineBuffer()
    /// The bytes that the client has not read yet.
    private(set) var unsent: ArraySlice<UInt8> = []
    /// Whether a status newer than the last one sent exists.
    var isStale = false
    var isInTurn = false
    /// The uptime of the last byte in either direction.
    var idleSinceUptime: Int

    /// The bound on the bytes that a follower leaves unread.
    private static let behindBytes = 1 << 20
    /// The bound on the bytes of one send or receive.
    private static let pieceBytes = 1 << 16

    init(_ descriptor: Int32, uptime: Int) {
        self.descriptor = descriptor
        user = "\(linux_peer_user(descriptor))"
        idleSinceUptime = uptime
    }

    deinit {
        watch = nil
        close(descriptor)
    }

    /// The readiness to watch for. A client that does not read its answers is not read from either.
    var awaitedReadiness: Readiness {
        if !unsent.isEmpty { return .writable }
        return isBusy ? [] : .readable
    }

    /// Whether unread requests may be buffered, here or in the kernel: a client that hangs up behind its request gets it done.
    var mayHaveRequests: Bool { isInTurn || awaitedReadiness.contains(.readable) }

    /// Whether the client waits for the service.
    var isBusy: Bool { stage == .asking || isInTurn }

    func follows(_ topic: Follow.Topic) -> Bool {
        if case .following(let topics) = stage { topics.contains(topic) } else { false }
    }

    /// Whether so much is unread that nothing more may be queued.
    var isBehind: Bool { unsent.count > Connection.behindBytes }

    /// The uptime at which the client is overdue; nil while the service owes it something, or it follows and has read all.
    func overdueUptime(_ timeouts: ClientTimeouts) -> Int? {
        if !unsent.isEmpty { return idleSinceUptime + timeouts.stallMilliseconds }
        guard stage == .listening, !isInTurn else { return nil }
        return idleSinceUptime + (lines.isInsideLine ? timeouts.stallMilliseconds : timeouts.idleMilliseconds)
    }

    /// Queues a line, and sends what the client takes at once. False when the connection is lost.
    func send(_ line: String) -> Bool {
        unsent += Array("\(line)\n".utf8)
        return flush()
    }

    /// Sends on. False when the connection is lost.
    func flush() -> Bool {
        while !unsent.isEmpty {
            let sent = unsent.prefix(Connection.pieceBytes).withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent < 0, errno == EINTR { continue }
            if sent < 0 { return errno == EAGAIN }
            unsent = unsent.dropFirst(sent)
        }
        unsent = []
        return true
    }

    /// Receives into the line buffer. False at the end of the stream, or when the connection is lost.
    func receive() -> Bool {
        var piece = [UInt8](repeating: 0, count: Connection.pieceBytes)
        let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        lines.add(piece.prefix(count))
        return count > 0
    }
}
