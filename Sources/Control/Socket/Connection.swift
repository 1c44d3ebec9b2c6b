// One client of the control socket.

import CLinux
import Glibc
import Loop
import Vocabulary

/// How long a client is waited for.
public struct ClientTimeouts: Hashable, Sendable {
    /// So long may nothing come within a line, or be taken of an answer.
    public var slowMilliseconds = 10_000
    /// So long may somebody say nothing, who is to come in anew then.
    public var idleMilliseconds = 60_000
    /// So often it is looked, while there are clients.
    public var lookMilliseconds = 5000

    /// As long as is usual.
    public init() {}
}

/// A client, what it has said and what it is still to be told. It does nothing by itself.
final class Connection {
    /// What it waits for, or is waited for.
    enum Stage: Hashable {
        /// It may say something.
        case listening
        /// It has asked for something, and is not answered yet.
        case asking
        /// It is told what it follows.
        case following(Set<Follow.Kind>)
    }

    let descriptor: Int32
    /// Tells its user from others.
    let user: String
    var watch: Watch?
    var stage = Stage.listening
    /// Whether it waits for an enrolment or a test of a code, which is cancelled when its connection closes.
    var isLooking = false
    var lines = LineBuffer()
    /// What it has not taken yet.
    private(set) var rest: ArraySlice<UInt8> = []
    /// Whether the status it was told last is no longer the newest.
    var isStale = false
    /// Whether what it has said is looked at when it is its turn.
    var isInTurn = false
    /// Since when nothing has moved, by the time since the machine was started.
    var stillSinceUptime: Int

    /// Who follows and takes nothing is let go of by then.
    private static let behindBytes = 1 << 20
    /// More than this nobody is sent in one go.
    private static let pieceBytes = 1 << 16

    init(_ descriptor: Int32, uptime: Int) {
        self.descriptor = descriptor
        user = "\(linux_peer_user(descriptor))"
        stillSinceUptime = uptime
    }

    deinit {
        watch = nil
        close(descriptor)
    }

    /// What it is waited for now: a client that does not take its answers says nothing new.
    var awaited: Readiness {
        if !rest.isEmpty { return .writable }
        return isWaiting ? [] : .readable
    }

    /// Whether it has said something, or may: whoever has gone after a wish has had it, unless that is a very long one.
    var mayBeHeard: Bool { isInTurn || awaited.contains(.readable) }

    /// Whether it waits, and not somebody else for it.
    var isWaiting: Bool { stage == .asking || isInTurn }

    /// Whether it is told that.
    func follows(_ kind: Follow.Kind) -> Bool {
        if case .following(let kinds) = stage { kinds.contains(kind) } else { false }
    }

    /// Whether it has left so much untaken that nothing more is to be added.
    var isBehind: Bool { rest.count > Connection.behindBytes }

    /// Whether it has been waited for too long.
    func isOverdue(at uptime: Int, _ timeouts: ClientTimeouts) -> Bool {
        let still = uptime - stillSinceUptime
        if !rest.isEmpty { return still >= timeouts.slowMilliseconds }
        switch stage {
        case .listening where !isInTurn:
            return still >= (lines.isInsideLine ? timeouts.slowMilliseconds : timeouts.idleMilliseconds)
        case .listening, .asking, .following: return false
        }
    }

    /// Tells it something, as far as it takes it. False when it is gone.
    func tell(_ line: String) -> Bool {
        rest += Array("\(line)\n".utf8)
        return flush()
    }

    /// Goes on telling it. False when it is gone.
    func flush() -> Bool {
        while !rest.isEmpty {
            let sent = rest.prefix(Connection.pieceBytes).withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent < 0, errno == EINTR { continue }
            if sent < 0 { return errno == EAGAIN }
            rest = rest.dropFirst(sent)
        }
        rest = []
        return true
    }

    /// Takes in what it says. False when it has nothing more to say, or is gone.
    func receive() -> Bool {
        var piece = [UInt8](repeating: 0, count: Connection.pieceBytes)
        let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        lines.add(piece.prefix(count))
        return count > 0
    }
}
