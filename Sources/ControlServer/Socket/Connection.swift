// The connection of one client of the control socket.

import API
import CLinux
import Clients
import Engine
import EventLoop
import Glibc
import System

extension LineBuffer {
    /// The bound on a line. A backup has at most 10,000 alarms; 11,000 of some 720 bytes each, with dates,
    /// codes and texts, would fit. The parser takes up to thirty times the length in memory.
    static let bytesMax = 8 << 20
    /// The bound on a line that the event loop parses itself. A longer line would block the loop.
    static let shortBytesMax = 64 << 10
}

package struct ClientTimeouts: Hashable, Sendable {
    /// The longest pause within a line, or while a response is unread.
    package var stallMilliseconds = 10_000
    /// The longest pause between two requests.
    package var idleMilliseconds = 60_000
    /// The interval of the timeout checks, which run only while a client can time out.
    package var checkMilliseconds = 5000

    package init() {}
}

/// The buffers and the state of one connection. `ControlSocket` decides when to receive, serve and close.
final class Connection {
    enum Stage: Hashable {
        case listening
        case asking
        /// The client follows these topics. The server discards further input from the client.
        case following(Set<Follow.Topic>)
    }

    var stream: LineStream
    let user: String
    var watch: Watch?
    /// The readiness that the watch reports.
    private var watchedReadiness = Readiness.readable
    var stage = Stage.listening
    /// The paired client that follows, over HTTP. The connection ends when the client is forgotten.
    var follower: PairedClient.ID?
    /// True if the request scans a code. The server cancels the scan when the connection closes.
    var isScanning = false
    /// True if the request was a long line. The server trims the heap after the response.
    var hasSentLongLine = false
    /// True if the status has changed since the last one was sent.
    var isStale = false
    var isInTurn = false
    /// The uptime of the last progress in either direction.
    var idleSinceUptime: Int

    /// The bound on the unread bytes of a follower.
    private static let behindBytes = 1 << 20

    init(_ descriptor: Int32, uptime: Int) {
        stream = LineStream(descriptor)
        user = "\(linux_peer_user(descriptor))"
        idleSinceUptime = uptime
    }

    deinit {
        watch = nil
        close(stream.descriptor)
    }

    /// The readiness to watch for. The server does not read from a client that leaves responses unread.
    var awaitedReadiness: Readiness {
        if !stream.unsent.isEmpty { return .writable }
        return isBusy ? [] : .readable
    }

    /// Changes the watch if it lacks an awaited readiness. `hasReportedMore`: the watch has reported a
    /// readiness that is not awaited, and would report it again. Without such a report a wider watch may
    /// stay, which saves two system calls for each request.
    func updateWatch(hasReportedMore: Bool) throws(SystemCallError) {
        let awaited = awaitedReadiness
        guard hasReportedMore || !awaited.isSubset(of: watchedReadiness) else { return }
        watchedReadiness = awaited
        try watch?.change(to: awaited)
    }

    /// True if requests may be buffered, here or in the kernel. They are carried out even after a hang-up.
    var mayHaveRequests: Bool { isInTurn || awaitedReadiness.contains(.readable) }

    /// True if the client waits for the service.
    var isBusy: Bool { stage == .asking || isInTurn }

    func follows(_ topic: Follow.Topic) -> Bool {
        if case .following(let topics) = stage { topics.contains(topic) } else { false }
    }

    /// True while a line arrives that the event loop does not parse itself.
    var receivesLongLine: Bool { stream.lines.isLonger(than: LineBuffer.shortBytesMax) }

    /// True if the follower leaves so much unread that nothing more may be queued.
    var isBehind: Bool { stream.unsent.count > Connection.behindBytes }

    /// Returns the uptime at which the client times out. Nil while the client waits for the service, or
    /// follows and has read everything.
    func overdueUptime(_ timeouts: ClientTimeouts) -> Int? {
        if !stream.unsent.isEmpty { return idleSinceUptime + timeouts.stallMilliseconds }
        guard stage == .listening, !isInTurn else { return nil }
        return idleSinceUptime + (stream.lines.isInsideLine ? timeouts.stallMilliseconds : timeouts.idleMilliseconds)
    }

    /// Queues a line, and sends until the socket is full. Returns false if the connection is lost.
    func send(_ line: String) -> Bool { stream.send(Array("\(line)\n".utf8)) }
}
