// The connections to the service's socket.

import EventLoop
import Glibc
import System

/// Sends requests to roosterd and receives its answers. Each request in progress has a connection of its own,
/// because roosterd answers the requests of a connection in their order, and some answers take a minute.
/// roosterd may be restarted at any time.
actor ServiceLink {
    /// Receives the answer, or nil if there is none.
    typealias Receive = @Sendable (ArraySlice<UInt8>?) -> Void

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let path: String
    private var connections: [Int: ServiceConnection] = [:]
    /// The connections without a request, the newest last.
    private var idle: [Int] = []
    private var lastNumber = 0
    private var closing: LoopTimer?
    private var isClosingSet = false

    /// A connection without a request is closed after this time.
    private let idleMilliseconds: Int
    /// The limit on connections without a request.
    private static let idleMax = 8

    init(to path: String, on loop: EventLoop, idleMilliseconds: Int = 10_000) {
        (self.path, self.loop, self.idleMilliseconds) = (path, loop, idleMilliseconds)
    }

    /// Sends a line, and passes on the answer. `mayRepeat`: if the answer is lost, the request may be sent again.
    func ask(_ line: [UInt8], mayRepeat: Bool, _ receive: @escaping Receive) {
        guard let number = idle.popLast(), let connection = connections[number] else { return begin(line, receive) }
        connection.receive = { [weak self] answer in
            guard answer == nil, mayRepeat, let self else { return receive(answer) }
            // roosterd has closed the connection since it was last used.
            assumeIsolated { $0.begin(line, receive) }
        }
        send(line, on: connection, number)
    }

    /// Sends a line on a new connection.
    private func begin(_ line: [UInt8], _ receive: @escaping Receive) {
        guard let (number, connection) = connect() else { return receive(nil) }
        connection.receive = receive
        send(line, on: connection, number)
    }

    /// Sends the lines of a follower, and passes on each line that comes, and nil at the end. Returns the
    /// number of the follower, by which `stop` ends it; nil if the service does not run, or ends at this
    /// moment.
    func follow(_ lines: [UInt8], _ receive: @escaping @Sendable (Int, ArraySlice<UInt8>?) -> Void) -> Int? {
        guard let (number, connection) = connect() else { return nil }
        connection.follows = true
        send(lines, on: connection, number)
        // The caller does not know the number yet, so a loss until here is reported by the result alone.
        guard connections[number] != nil else { return nil }
        connection.receive = { receive(number, $0) }
        return number
    }

    /// Ends a follower, which receives nothing more.
    func stop(_ number: Int) {
        connections[number]?.receive = nil
        connections[number] = nil
    }

    // MARK: connections

    private func connect() -> (Int, ServiceConnection)? {
        guard let connection = ServiceConnection(to: path) else { return nil }
        lastNumber += 1
        let number = lastNumber
        do throws(SystemCallError) {
            connection.watch = try loop.watch(connection.descriptor, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.handle(number, readiness) }
            }
        } catch { return nil }
        connections[number] = connection
        return (number, connection)
    }

    private func send(_ line: [UInt8], on connection: ServiceConnection, _ number: Int) {
        connection.send(line) ? updateWatch(connection) : lose(number)
    }

    private func updateWatch(_ connection: ServiceConnection) {
        guard connection.hasUnsent != connection.awaitsWriting else { return }
        connection.awaitsWriting = connection.hasUnsent
        try? connection.watch?.change(to: connection.hasUnsent ? [.readable, .writable] : .readable)
    }

    private func handle(_ number: Int, _ readiness: Readiness) {
        guard let connection = connections[number] else { return }
        if readiness.contains(.writable), !connection.flush() { return lose(number) }
        let isThere = connection.read()
        while let line = connection.lines.next() {
            let receive = connection.receive
            if !connection.follows {
                connection.receive = nil
                rest(number)
            }
            receive?(line)
        }
        guard connections[number] != nil else { return }
        isThere ? updateWatch(connection) : lose(number)
    }

    private func lose(_ number: Int) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        idle.removeAll { $0 == number }
        connection.receive?(nil)
    }

    /// Keeps a connection for the next request, for a while.
    private func rest(_ number: Int) {
        guard idle.count < ServiceLink.idleMax else {
            connections[number] = nil
            return
        }
        idle.append(number)
        if closing == nil {
            closing = try? LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.closeIdle() } }
        }
        connections[number]?.restingSince = EventLoop.uptimeMilliseconds
        if !isClosingSet { setClosing() }
    }

    private func setClosing() {
        let oldest = idle.compactMap { connections[$0]?.restingSince }.min()
        isClosingSet = oldest != nil
        closing?.set(uptimeMilliseconds: oldest.map { $0 + idleMilliseconds })
    }

    /// Closes the connections that were not used for a while. The others are closed later.
    private func closeIdle() {
        let end = EventLoop.uptimeMilliseconds - idleMilliseconds
        let over = idle.filter { connections[$0].map { $0.restingSince <= end } ?? true }
        for number in over { connections[number] = nil }
        idle.removeAll { over.contains($0) }
        setClosing()
    }
}

/// One connection to roosterd.
private final class ServiceConnection {
    let descriptor: Int32
    var watch: Watch?
    var lines = LineBuffer()
    var receive: ServiceLink.Receive?
    var follows = false
    /// True if the watch reports also that more can be written.
    var awaitsWriting = false
    /// The uptime at which its last request was answered.
    var restingSince = 0
    private var unsent: ArraySlice<UInt8> = []

    private static let pieceBytes = 64 << 10

    var hasUnsent: Bool { !unsent.isEmpty }

    /// Connects, or fails if no service listens.
    init?(to path: String) {
        guard let address = SocketAddress(path: path) else { return nil }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        let number = descriptor
        guard address.with({ Glibc.connect(number, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        watch = nil
        close(descriptor)
    }

    /// Sends bytes, and queues those that the kernel does not accept yet. Returns false if the connection is
    /// lost.
    func send(_ bytes: [UInt8]) -> Bool {
        unsent += bytes
        return flush()
    }

    func flush() -> Bool {
        while !unsent.isEmpty {
            let sent = unsent.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent < 0 { return errno == EAGAIN || errno == EINTR }
            unsent = unsent.dropFirst(sent)
        }
        unsent = []
        return true
    }

    /// Receives into the line buffer. Returns false at the end of the stream.
    func read() -> Bool {
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: ServiceConnection.pieceBytes) { buffer, filled in
            count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            filled = max(count, 0)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        lines.add(piece[...])
        return count > 0
    }
}
