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
            connection.watch = try loop.watch(connection.stream.descriptor, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.handle(number, readiness) }
            }
        } catch { return nil }
        connections[number] = connection
        return (number, connection)
    }

    private func send(_ line: [UInt8], on connection: ServiceConnection, _ number: Int) {
        connection.stream.send(line) ? updateWatch(connection) : lose(number)
    }

    private func updateWatch(_ connection: ServiceConnection) {
        let hasUnsent = !connection.stream.unsent.isEmpty
        guard hasUnsent != connection.awaitsWriting else { return }
        connection.awaitsWriting = hasUnsent
        // If this fails, the rest is not sent, and roosterd closes the connection after ten seconds within a line.
        try? connection.watch?.change(to: hasUnsent ? [.readable, .writable] : .readable)
    }

    private func handle(_ number: Int, _ readiness: Readiness) {
        guard let connection = connections[number] else { return }
        if readiness.contains(.writable), !connection.stream.flush() { return lose(number) }
        let isThere = connection.stream.receive()
        while let line = connection.stream.lines.next() {
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
    var stream: LineStream
    var watch: Watch?
    var receive: ServiceLink.Receive?
    var follows = false
    /// True if the watch reports also that more can be written.
    var awaitsWriting = false
    /// The uptime at which its last request was answered.
    var restingSince = 0

    /// Connects, or fails if no service listens.
    init?(to path: String) {
        guard let address = SocketAddress(path: path) else { return nil }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        stream = LineStream(descriptor)
        // From here on `deinit` closes the descriptor.
        guard address.with({ Glibc.connect(descriptor, $0, $1) }) == 0 else { return nil }
    }

    deinit {
        watch = nil
        close(stream.descriptor)
    }
}
