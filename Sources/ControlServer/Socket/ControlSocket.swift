// The control socket: a socket on this machine, one JSON object a line.

import API
import CLinux
import Engine
import EventLoop
import Glibc
import Service
import System

/// Parses a line, on whatever thread.
private func parse(_ bytes: [UInt8]) -> Result<RequestEnvelope, ErrorResponse> {
    do throws(ErrorResponse) {
        return .success(try RequestEnvelope(parsing: bytes))
    } catch {
        return .failure(error)
    }
}

/// Accepts clients, and answers the requests of each in their order. It never blocks: a client that is slow, silent or
/// broken costs a descriptor and some memory, and no other client any time.
package actor ControlSocket {
    nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let listening: ListeningSocket
    private let router: RequestRouter
    private let worker: SerialWorker
    let service: Service
    private let log: Log
    private var listenerWatch: Watch?
    var clients: [Int: Connection] = [:]
    private var clientCount = 0
    /// The clients with requests to be handled, in the order of their turns. While there is one, a task for it is scheduled.
    private var turns: [Int] = []
    private let timeouts: ClientTimeouts
    /// Checks the timeouts of clients, while one could run into them.
    private var reaper: LoopTimer?
    private var isReaperSet = false
    /// Publishes what changes by itself: the clocks of a session, and the level of what is heard.
    var meter: LoopTimer?
    /// Whether a task that publishes the status is scheduled.
    var isStatusDue = false
    /// The uptime of the last status that the meter has published.
    var statusUptime = 0
    /// Whether the last level that was published was a sound.
    var wasHeard = false
    var history = EventHistory()
    /// The number of long lines that are being parsed.
    private var longLineCount = 0

    /// The bound on clients: a new one evicts the idlest.
    static let clientsMax = 100
    private static let acceptsMax = 16

    /// A socket that accepts nobody yet.
    package init(
        at path: String, group: String?, to service: Service, on loop: EventLoop, simulation: (any Simulation)? = nil,
        timeouts: ClientTimeouts = ClientTimeouts(), log: @escaping Log = { _ in }
    ) throws(ListeningError) {
        listening = try ListeningSocket(at: path, group: group)
        self.loop = loop
        self.timeouts = timeouts
        if let problem = listening.problem { log(LogLine(.warning, problem)) }
        self.service = service
        self.log = log
        worker = SerialWorker(beside: loop)
        router = RequestRouter(origin: .commandLine, simulation: simulation, worker: worker)
    }

    package func open() throws(SystemCallError) {
        history.add(service.recovered)
        reaper = try timer { $0.evictOverdue() }
        meter = try timer { $0.measure() }
        listenerWatch = try watchListener()
        subscribe()
    }

    // Swift 6.0 cannot compile a closure that is isolated to the service and captures what is isolated here: these are not.

    private nonisolated func subscribe() { service.assumeIsolated { $0.subscribe(self) } }

    private nonisolated func ask(_ envelope: RequestEnvelope, from user: String, for id: Int) {
        service.assumeIsolated { service in
            router.route(envelope, from: user, at: service) { [weak self] line in
                self?.assumeIsolated { $0.answer(id, line) }
            }
        }
    }

    /// Closes all connections. Requests that are being handled get no answer.
    package func close() {
        (listenerWatch, reaper, meter) = (nil, nil, nil)
        (clients, turns) = ([:], [])
        listening.remove()
    }

    /// Accepts again, after there was no room.
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

    /// Accepts some clients at a time, so that others have their turn in between.
    private func acceptClients() {
        for _ in 0..<ControlSocket.acceptsMax {
            // A client that waits for an answer is not evicted. New ones wait in the kernel until one was answered.
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
                log(LogLine(.warning, "A client of the control socket cannot be let in: \(error)"))
                continue
            }
            clients[id] = client
            // Requests that were sent before the accept are read before the client can be evicted.
            handleReadiness(id, .readable)
        }
    }

    private func accept() -> Int32? {
        while true {
            switch listening.accept() {
            case .client(let descriptor): return descriptor
            case .none: return nil
            case .noRoom:
                // The idlest client is evicted. If none can be, none is accepted for a while.
                guard evictIdlest() else {
                    listenerWatch = nil
                    reaper?.set(uptimeMilliseconds: uptime + timeouts.checkMilliseconds)
                    return nil
                }
            }
        }
    }

    /// Evicts the client that has been idle for longest. One that waits for an answer stays: its request may be done, and it
    /// would not know. Even on a disk that hangs it does not wait for long.
    private func evictIdlest() -> Bool {
        let idlest = clients.filter { !$0.value.isBusy }.min { a, b in
            (a.value.idleSinceUptime, a.key) < (b.value.idleSinceUptime, b.key)
        }
        guard let idlest else { return false }
        clients[idlest.key] = nil
        return true
    }

    /// The machine's uptime, by which timers are set: a simulated clock has no effect on timeouts.
    var uptime: Int { EventLoop.uptimeMilliseconds }

    /// Sets the reaper while a client can run into a timeout. A follower that has read everything cannot.
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
        // A hang-up is reported again and again: it is no activity.
        if !readiness.isDisjoint(with: [.readable, .writable]) { client.idleSinceUptime = uptime }
        var isThere = true
        if readiness.contains(.writable) { isThere = client.flush() }
        if isThere, readiness.contains(.readable), client.awaitedReadiness.contains(.readable) {
            isThere = client.receive()
        }
        guard isThere, client.mayHaveRequests || readiness.isDisjoint(with: .lost) else {
            clients[id] = nil
            // Otherwise the next code in view would be enrolled under the name that this client had asked for.
            if client.isScanning { ask(RequestEnvelope(CancelScan()), from: client.user, for: id) }
            return
        }
        scheduleTurn(id)
    }

    /// Queues a client for its next turn, in which one line is handled. In between the loop does everything else: a client with
    /// many requests does not delay the others.
    private func scheduleTurn(_ id: Int) {
        guard let client = clients[id], !client.isInTurn else { return }
        client.isInTurn = true
        turns.append(id)
        if turns.count == 1 { scheduleNextTurn() }
        updateWatch(of: id)
    }

    private func scheduleNextTurn() { Task(executorPreference: loop) { await self.runTurn() } }

    private func runTurn() {
        // The socket may have been closed meanwhile.
        guard !turns.isEmpty else { return }
        // Evicted clients have no turn.
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
        if client.unsent.isEmpty, client.stage == .listening, let line = client.lines.next() {
            if !line.isEmpty { enqueue(Array(line), of: id) }
            if client.stage == .listening { scheduleTurn(id) }
        }
        if exceedsBounds(id) {
            send(id, ErrorResponse(.busy, "That is too long, or too much at once").json.description)
            clients[id] = nil
        }
        guard clients[id] != nil else { return }
        if case .following = client.stage {
            // A follower sends nothing more.
            client.lines = LineBuffer()
            sendStatus(id, status)
        }
        updateWatch(of: id)
    }

    private func exceedsBounds(_ id: Int) -> Bool {
        guard let lines = clients[id]?.lines, lines.isLonger(than: LineBuffer.shortBytesMax) else { return false }
        // Only one long line is buffered at a time.
        let isOtherLong = clients.contains { $0.key != id && $0.value.lines.isLonger(than: LineBuffer.shortBytesMax) }
        return lines.isLonger(than: LineBuffer.bytesMax) || longLineCount > 0 || isOtherLong
    }

    func updateWatch(of id: Int) {
        guard let client = clients[id] else { return }
        do throws(SystemCallError) {
            try client.watch?.change(to: client.awaitedReadiness)
        } catch {
            clients[id] = nil
        }
        if !isReaperSet { setReaper() }
    }

    private func enqueue(_ bytes: [UInt8], of id: Int) {
        guard bytes.count > LineBuffer.shortBytesMax else { return handle(parse(bytes), of: id) }
        // Parsing a long line takes a while: it does not block the loop.
        clients[id]?.stage = .asking
        clients[id]?.hasSentLongLine = true
        longLineCount += 1
        worker.run {
            parse(bytes)
        } then: { [weak self] request in
            self?.assumeIsolated { $0.handleLong(request, of: id) }
        }
    }

    private func handleLong(_ request: Result<RequestEnvelope, ErrorResponse>, of id: Int) {
        longLineCount -= 1
        guard clients[id] != nil else { return }
        handle(request, of: id)
        scheduleTurn(id)
    }

    private func handle(_ request: Result<RequestEnvelope, ErrorResponse>, of id: Int) {
        guard let client = clients[id] else { return }
        switch request {
        case .success(let envelope):
            if let follow = envelope.request as? Follow {
                begin(follow, client, id)
            } else {
                client.stage = .asking
                client.isScanning = envelope.request is EnrolCode || envelope.request is TestCode
                ask(envelope, from: client.user, for: id)
            }
        case .failure(let error): answer(id, error.json.description)
        }
    }

    private func answer(_ id: Int, _ line: String) {
        guard let client = clients[id] else { return }
        if client.hasSentLongLine || line.utf8.count > LineBuffer.shortBytesMax { giveMemoryBack() }
        (client.stage, client.isScanning, client.hasSentLongLine) = (.listening, false, false)
        client.idleSinceUptime = uptime
        send(id, line)
        scheduleTurn(id)
    }

    /// Trims the heap when a file has been handled: a service that only waits needs none of it.
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
