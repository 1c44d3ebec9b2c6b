// The sockets of the service: clients send one JSON object per line.

import API
import CLinux
import Clients
import Engine
import EventLoop
import Glibc
import Service
import System

/// Accepts clients, and handles each client's requests in order. It never blocks: a slow, silent or broken
/// client costs a descriptor and some memory, but does not delay other clients.
package actor ControlSocket {
    nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let listening: ListeningSocket
    private let router: RequestRouter
    private let worker: SerialWorker
    let service: Service
    private let audience: Audience
    private let log: Log
    private var listenerWatch: Watch?
    var clients: [Int: Connection] = [:]
    private var clientCount = 0
    /// The clients with pending requests, in the order of their turns. A task is scheduled while this is
    /// not empty.
    private var turns: [Int] = []
    private let timeouts: ClientTimeouts
    /// Runs `evictOverdue` while a client can time out.
    private var reaper: LoopTimer?
    private var isReaperSet = false
    /// Publishes changes that cause no event: the countdowns of a session, and the level of the sound.
    var meter: LoopTimer?
    /// True if a task that publishes the status is scheduled.
    var isStatusDue = false
    /// The uptime of the last status that the meter has published.
    var statusUptime = 0
    /// True if the last published level had an output.
    var wasHeard = false
    var history = EventHistory()
    /// The number of long lines that are being parsed.
    private var longLineCount = 0

    /// The bound on clients. At the bound, a new client evicts the idlest.
    static let clientsMax = 100
    private static let acceptsMax = 16

    /// Creates the socket's file. The socket accepts no client before `open`.
    package init(
        at path: String, group: String?, for audience: Audience = .programs, to service: Service, on loop: EventLoop,
        simulation: (any SimulationControl)? = nil,
        timeouts: ClientTimeouts = ClientTimeouts(), log: @escaping Log = { _ in }
    ) throws(ListeningError) {
        listening = try ListeningSocket(at: path, group: group)
        self.loop = loop
        self.timeouts = timeouts
        if let problem = listening.problem { log(LogLine(.warning, problem)) }
        self.service = service
        self.audience = audience
        self.log = log
        worker = SerialWorker(beside: loop)
        router = RequestRouter(origin: audience.origin, simulation: simulation, worker: worker)
    }

    package func open() throws(SystemCallError) {
        history.add(service.recovered)
        reaper = try timer { $0.evictOverdue() }
        meter = try timer { $0.measure() }
        listenerWatch = try watchListener()
        subscribe()
    }

    // These methods are nonisolated: Swift 6.0 cannot compile a closure that is isolated to the service and
    // captures this actor's state.

    private nonisolated func subscribe() { service.assumeIsolated { $0.subscribe(self) } }

    private nonisolated func ask(
        _ envelope: RequestEnvelope, from user: String, _ client: PairedClient? = nil, for id: Int
    ) {
        service.assumeIsolated { service in
            router.route(envelope, from: user, client, at: service) { [weak self] line in
                self?.assumeIsolated { $0.answer(id, line) }
            }
        }
    }

    /// Closes all connections. Pending requests get no response.
    package func close() {
        (listenerWatch, reaper, meter) = (nil, nil, nil)
        (clients, turns) = ([:], [])
        listening.remove()
    }

    /// Accepts clients again after the socket was full.
    private func resumeAccepting() {
        do throws(SystemCallError) {
            listenerWatch = try watchListener()
        } catch {
            reaper?.set(uptimeMilliseconds: uptime + timeouts.checkMilliseconds)
        }
    }

    private func watchListener() throws(SystemCallError) -> Watch {
        try loop.watch(listening.descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.acceptClients() }
        }
    }

    // MARK: Connections

    /// Accepts at most `acceptsMax` clients, so that connected clients have their turns in between.
    private func acceptClients() {
        for _ in 0..<ControlSocket.acceptsMax {
            // A client that waits for a response is never evicted. If all wait, new clients stay in the
            // kernel's queue until one has its response.
            if clients.count >= ControlSocket.clientsMax, clients.values.allSatisfy(\.isBusy) {
                return listenerWatch = nil
            }
            guard let descriptor = accept() else { return }
            if clients.count >= ControlSocket.clientsMax { _ = evictIdlest() }
            clientCount += 1
            let (id, client) = (clientCount, Connection(descriptor, uptime: uptime))
            do throws(SystemCallError) {
                client.watch = try loop.watch(descriptor, for: .readable) { [weak self] readiness in
                    self?.assumeIsolated { $0.handleReadiness(id, readiness) }
                }
            } catch {
                log(LogLine(.warning, "A connection to the control socket was refused (\(error))"))
                continue
            }
            clients[id] = client
            // The client may have sent requests before the accept. Reading them now protects it from
            // eviction.
            handleReadiness(id, .readable)
        }
    }

    private func accept() -> Int32? {
        while true {
            switch listening.accept() {
            case .client(let descriptor): return descriptor
            case .none: return nil
            case .noRoom:
                // No descriptor is left. If no client can be evicted, the socket stops accepting for a
                // while.
                guard evictIdlest() else {
                    listenerWatch = nil
                    reaper?.set(uptimeMilliseconds: uptime + timeouts.checkMilliseconds)
                    return nil
                }
            }
        }
    }

    /// Evicts the client that has been idle for longest. A client that waits for a response stays: its
    /// request may take effect, and the client would not learn that. Even with a hung disk the wait is
    /// bounded.
    private func evictIdlest() -> Bool {
        let idlest = clients.filter { !$0.value.isBusy }.min { a, b in
            (a.value.idleSinceUptime, a.key) < (b.value.idleSinceUptime, b.key)
        }
        guard let idlest else { return false }
        clients[idlest.key] = nil
        return true
    }

    /// The uptime of the machine, by which timers are set. A simulated clock does not affect timeouts.
    var uptime: Int { EventLoop.uptimeMilliseconds }

    /// Sets the reaper while a client can time out. A follower that has read everything cannot.
    private func setReaper() {
        let isNeeded = listenerWatch == nil || clients.values.contains { $0.overdueUptime(timeouts) != nil }
        guard isNeeded || isReaperSet else { return }
        isReaperSet = isNeeded
        reaper?.set(uptimeMilliseconds: isNeeded ? uptime + timeouts.checkMilliseconds : nil)
    }

    private func evictOverdue() {
        if listenerWatch == nil { resumeAccepting() }
        let now = uptime
        clients = clients.filter { $0.value.overdueUptime(timeouts).map { $0 > now } ?? true }
        setReaper()
    }

    private func timer(_ act: @escaping @Sendable (isolated ControlSocket) -> Void) throws(SystemCallError) -> LoopTimer
    {
        try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { act($0) } }
    }

    // MARK: Requests

    private func handleReadiness(_ id: Int, _ readiness: Readiness) {
        guard let client = clients[id] else { return }
        // epoll reports a hang-up repeatedly, so a hang-up does not count as activity.
        if !readiness.isDisjoint(with: [.readable, .writable]) { client.idleSinceUptime = uptime }
        let hasReportedMore = !readiness.isSubset(of: client.awaitedReadiness)
        var isThere = true
        if readiness.contains(.writable) { isThere = client.stream.flush() }
        if isThere, readiness.contains(.readable), client.awaitedReadiness.contains(.readable) {
            isThere = client.stream.receive()
        }
        guard isThere, client.mayHaveRequests || readiness.isDisjoint(with: .lost) else {
            clients[id] = nil
            // Without this, the next code in view would be enrolled under the label of this client.
            if client.isScanning { ask(RequestEnvelope(CancelScan()), from: client.user, for: id) }
            return
        }
        scheduleTurn(id)
        updateWatch(of: id, hasReportedMore: hasReportedMore)
    }

    /// Queues a client for its next turn, in which one line is handled. Between turns the loop does its
    /// other work, so a client with many requests does not delay the others.
    private func scheduleTurn(_ id: Int) {
        guard let client = clients[id], !client.isInTurn else { return }
        client.isInTurn = true
        turns.append(id)
        if turns.count == 1 { scheduleNextTurn() }
    }

    private func scheduleNextTurn() { Task(executorPreference: loop) { await self.runTurn() } }

    private func runTurn() {
        // The socket may have been closed since the task was scheduled.
        guard !turns.isEmpty else { return }
        // An evicted client loses its turn.
        while let id = turns.first, clients[id] == nil { turns.removeFirst() }
        if let id = turns.first {
            clients[id]?.isInTurn = false
            serve(to: id)
            turns.removeFirst()
        }
        if !turns.isEmpty { scheduleNextTurn() }
        if listenerWatch == nil { resumeAccepting() }
    }

    private func serve(to id: Int) {
        guard let client = clients[id] else { return }
        if client.stream.unsent.isEmpty, client.stage == .listening, let line = client.stream.lines.next() {
            if !line.isEmpty { enqueue(Array(line), of: id) }
            if client.stage == .listening { scheduleTurn(id) }
        }
        if exceedsBounds(id) {
            send(id, ErrorResponse(.busy, "The request is too long, or there are too many at once").json.description)
            clients[id] = nil
        }
        guard clients[id] != nil else { return }
        if case .following = client.stage {
            // Input of a follower is discarded.
            client.stream.lines = LineBuffer()
            sendStatus(id, status)
        }
        updateWatch(of: id)
    }

    private func exceedsBounds(_ id: Int) -> Bool {
        guard let client = clients[id], client.receivesLongLine else { return false }
        // A second long line is refused, to bound the memory.
        let isOtherLong = clients.contains { $0.key != id && $0.value.receivesLongLine }
        return client.stream.lines.isLonger(than: LineBuffer.bytesMax) || longLineCount > 0 || isOtherLong
    }

    func updateWatch(of id: Int, hasReportedMore: Bool = false) {
        guard let client = clients[id] else { return }
        do throws(SystemCallError) {
            try client.updateWatch(hasReportedMore: hasReportedMore)
        } catch {
            clients[id] = nil
        }
        if !isReaperSet { setReaper() }
    }

    private func enqueue(_ bytes: [UInt8], of id: Int) {
        guard bytes.count > LineBuffer.shortBytesMax else { return handle(ParsedLine(bytes), of: id) }
        // The worker parses long lines, because parsing would block the loop.
        clients[id]?.stage = .asking
        clients[id]?.hasSentLongLine = true
        longLineCount += 1
        worker.run {
            ParsedLine(bytes)
        } then: { [weak self] line in
            self?.assumeIsolated { $0.handleLong(line, of: id) }
        }
    }

    private func handleLong(_ line: ParsedLine, of id: Int) {
        longLineCount -= 1
        guard clients[id] != nil else { return }
        handle(line, of: id)
        scheduleTurn(id)
    }

    private func handle(_ line: ParsedLine, of id: Int) {
        guard let client = clients[id] else { return }
        do throws(ErrorResponse) {
            let paired = audience == .clients ? try admit(line) : nil
            let envelope = try line.envelope.get()
            if let follow = envelope.request as? Follow {
                client.follower = paired?.id
                begin(follow, client, id)
            } else {
                client.stage = .asking
                client.isScanning = envelope.request is EnrolCode || envelope.request is TestCode
                ask(envelope, from: client.user, paired, for: id)
            }
        } catch {
            answer(id, error.json.description)
        }
    }

    private nonisolated func admit(_ line: ParsedLine) throws(ErrorResponse) -> PairedClient? {
        try service.assumeIsolated { service in Result { () throws(ErrorResponse) in try service.admit(line) } }.get()
    }

    private func answer(_ id: Int, _ line: String) {
        guard let client = clients[id] else { return }
        if client.hasSentLongLine || line.utf8.count > LineBuffer.shortBytesMax { giveMemoryBack() }
        (client.stage, client.isScanning, client.hasSentLongLine) = (.listening, false, false)
        client.idleSinceUptime = uptime
        send(id, line)
        scheduleTurn(id)
    }

    /// Trims the heap after a long line. An idle service does not need that memory.
    private func giveMemoryBack() {
        Task(executorPreference: loop) { [worker] in
            worker.run {
                linux_give_memory_back()
            } then: {
            }
        }
    }

    func send(_ id: Int, _ line: String) {
        if clients[id]?.send(line) == false { clients[id] = nil }
    }
}
