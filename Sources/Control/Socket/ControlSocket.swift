// The door for the command line: a socket on this machine, one JSON object a line.

import Engine
import Glibc
import Loop
import Service
import Vocabulary

/// Parses a line, on whatever thread.
private func parse(_ bytes: [UInt8]) -> Result<Vocabulary.Request, Refused> {
    do throws(Refused) {
        return .success(try Vocabulary.Request(parsing: bytes))
    } catch {
        return .failure(error)
    }
}

/// Lets clients in, and answers each in the order in which it asks.
///
/// It runs on the service's loop. A client that is slow, silent or broken costs a descriptor and some memory, and nobody
/// anything else: nothing here waits.
public actor ControlSocket {
    private nonisolated let loop: EventLoop
    /// Where it runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let listening: ListeningSocket
    private let router: RequestRouter
    private let worker: SerialWorker
    private let service: Service
    private let log: Log
    private var door: Watch?
    private var clients: [Int: Connection] = [:]
    private var clientCount = 0
    /// Who may have said something that nobody has looked at, in the order in which it is their turn. While there is one, it is
    /// on its way to be looked at.
    private var turns: [Int] = []
    private let timeouts: ClientTimeouts
    /// Calls while there are clients, to let go of those that are waited for in vain.
    private var reaper: LoopTimer?
    /// Calls while somebody follows.
    private var meter: LoopTimer?
    /// Whether everybody who follows is to be told the status in a moment.
    private var isStatusDue = false
    /// When the clocks of the status were told last.
    private var statusUptime = 0
    private var history = EventHistory()
    /// How many long lines are being understood.
    private var longLineCount = 0
    private let lineBytesMax: Int

    /// More come in only when others go.
    static let clientsMax = 100
    private static let knocksMax = 16
    private static let levelMilliseconds = 500
    private static let secondMilliseconds = 1000

    /// A door that is not open yet.
    public init(
        at path: String, group: String?, to service: Service, on loop: EventLoop, simulation: (any Simulation)? = nil,
        timeouts: ClientTimeouts = ClientTimeouts(), lineBytesMax: Int? = nil,
        log: @escaping Log = { _ in }
    ) throws(ListeningError) {
        listening = try ListeningSocket(at: path, group: group)
        self.loop = loop
        self.timeouts = timeouts
        self.lineBytesMax = lineBytesMax ?? LineBuffer.bytesMax
        if let problem = listening.problem { log(LogLine(.warning, problem)) }
        self.service = service
        self.log = log
        worker = SerialWorker(beside: loop)
        router = RequestRouter(door: .commandLine, simulation: simulation, worker: worker)
    }

    /// Opens it.
    public func open() throws(LoopError) {
        reaper = try timer { $0.letGoOfOverdue() }
        meter = try timer { $0.measure() }
        door = try watchDoor()
        introduce()
    }

    // Swift 6.0 cannot compile a closure that is the service's own and holds what is this one's: it is made where nothing is.

    private nonisolated func introduce() { service.assumeIsolated { $0.subscribe(self) } }

    private nonisolated func ask(_ request: Vocabulary.Request, from user: String, for id: Int) {
        service.assumeIsolated { service in
            router.answer(request, from: user, at: service) { [weak self] words in
                self?.assumeIsolated { $0.answer(id, words) }
            }
        }
    }

    /// Closes it; nobody is answered any more.
    public func close() {
        (door, reaper, meter) = (nil, nil, nil)
        (clients, turns) = ([:], [])
        listening.remove()
    }

    /// Once more, when there is perhaps room again.
    private func openDoor() {
        do throws(LoopError) {
            door = try watchDoor()
        } catch {
            reaper?.set(uptimeMilliseconds: uptime + timeouts.lookMilliseconds)
        }
    }

    private func watchDoor() throws(LoopError) -> Watch {
        try loop.watch(listening.descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.letIn() }
        }
    }

    // MARK: clients come and go

    /// Some at a time: others have their turn in between.
    private func letIn() {
        for _ in 0..<ControlSocket.knocksMax {
            // Nobody goes who is to be answered: those who knock wait until one was.
            if clients.count >= ControlSocket.clientsMax, clients.values.allSatisfy(\.isWaiting) { return door = nil }
            guard let descriptor = accept() else { return }
            makeRoom()
            clientCount += 1
            let (id, client) = (clientCount, Connection(descriptor, uptime: uptime))
            do throws(LoopError) {
                client.watch = try loop.watch(descriptor, for: .readable) { [weak self] readiness in
                    self?.assumeIsolated { $0.moved(id, readiness) }
                }
            } catch {
                log(LogLine(.warning, "A client of the control socket cannot be let in: \(error)"))
                continue
            }
            clients[id] = client
            if clients.count == 1 { setReaper() }
            // What it has said before it was let in is looked at before it may have to make room.
            moved(id, .readable)
        }
    }

    private func accept() -> Int32? {
        while true {
            switch listening.accept() {
            case .client(let descriptor): return descriptor
            case .nobody: return nil
            case .noRoom:
                // Whoever has been still for longest makes room; while nobody can, nobody is let in.
                guard letGoOfStillest() else {
                    door = nil
                    reaper?.set(uptimeMilliseconds: uptime + timeouts.lookMilliseconds)
                    return nil
                }
            }
        }
    }

    private func makeRoom() {
        if clients.count >= ControlSocket.clientsMax { _ = letGoOfStillest() }
    }

    /// Lets go of the client that has been still for longest, of those that wait for nothing: what the others have asked for may
    /// be done, and they would not know. They do not wait for long, even for a disk that hangs.
    private func letGoOfStillest() -> Bool {
        let stillest = clients.filter { !$0.value.isWaiting }.min { a, b in
            (a.value.stillSinceUptime, a.key) < (b.value.stillSinceUptime, b.key)
        }
        guard let stillest else { return false }
        clients[stillest.key] = nil
        return true
    }

    /// By the machine's clock, as its timers are: no client of a simulated house waits a simulated time.
    private var uptime: Int { EventLoop.uptimeMilliseconds }

    /// Looks now and then, while there are clients, whether one is waited for in vain.
    private func setReaper() {
        reaper?.set(uptimeMilliseconds: clients.isEmpty && door != nil ? nil : uptime + timeouts.lookMilliseconds)
    }

    private func letGoOfOverdue() {
        if door == nil { openDoor() }
        let now = uptime
        clients = clients.filter { !$0.value.isOverdue(at: now, timeouts) }
        setReaper()
    }

    private func timer(_ act: @escaping @Sendable (isolated ControlSocket) -> Void) throws(LoopError) -> LoopTimer {
        try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { act($0) } }
    }

    // MARK: what they say

    private func moved(_ id: Int, _ readiness: Readiness) {
        guard let client = clients[id] else { return }
        // That somebody is gone is told again and again, and is no sign of life.
        if !readiness.isDisjoint(with: [.readable, .writable]) { client.stillSinceUptime = uptime }
        var isThere = true
        if readiness.contains(.writable) { isThere = client.flush() }
        if isThere, readiness.contains(.readable), client.awaited.contains(.readable) { isThere = client.receive() }
        guard isThere, client.mayBeHeard || readiness.isDisjoint(with: .lost) else {
            clients[id] = nil
            // Otherwise the next code in view would be enrolled under the name that this client had asked for.
            if client.isLooking { ask(Vocabulary.Request(CancelLook()), from: client.user, for: id) }
            return
        }
        goOn(id)
    }

    /// Has a client's next line looked at when all who came before have had their turn. A turn is one line, and in between
    /// the loop looks after everything else: how much somebody asks for keeps nobody else waiting.
    private func goOn(_ id: Int) {
        guard let client = clients[id], !client.isInTurn else { return }
        client.isInTurn = true
        turns.append(id)
        if turns.count == 1 { callNext() }
        listen(to: id)
    }

    private func callNext() { Task(executorPreference: loop) { await self.takeTurn() } }

    private func takeTurn() {
        // It may have been closed meanwhile.
        guard !turns.isEmpty else { return }
        // Those who were let go of take nobody's time.
        while let id = turns.first, clients[id] == nil { turns.removeFirst() }
        if let id = turns.first {
            clients[id]?.isInTurn = false
            attend(to: id)
            turns.removeFirst()
        }
        if !turns.isEmpty { callNext() }
        if door == nil { openDoor() }
    }

    private func attend(to id: Int) {
        guard let client = clients[id] else { return }
        if client.rest.isEmpty, client.stage == .listening, let line = client.lines.next() {
            if !line.isEmpty { enqueue(Array(line), of: id) }
            if client.stage == .listening { goOn(id) }
        }
        if saysTooMuch(id) {
            tell(id, Refused(.busy, "That is too long, or too much at once").json.description)
            clients[id] = nil
        }
        guard clients[id] != nil else { return }
        if case .following = client.stage {
            // Whoever follows has nothing more to say.
            client.lines = LineBuffer()
            sendStatus(id, status)
        }
        listen(to: id)
    }

    private func saysTooMuch(_ id: Int) -> Bool {
        guard let lines = clients[id]?.lines, lines.isLonger(than: LineBuffer.shortBytesMax) else { return false }
        return lines.isLonger(than: lineBytesMax) || hasOtherLongLine(than: id)
    }

    /// Only one client's file is held at a time.
    private func hasOtherLongLine(than id: Int) -> Bool {
        longLineCount > 0
            || clients.contains { $0.key != id && $0.value.lines.isLonger(than: LineBuffer.shortBytesMax) }
    }

    /// A client is waited for by what it is to do next. One that cannot be waited for is let go of.
    private func listen(to id: Int) {
        guard let client = clients[id] else { return }
        do throws(LoopError) {
            try client.watch?.change(to: client.awaited)
        } catch {
            clients[id] = nil
        }
    }

    private func enqueue(_ bytes: [UInt8], of id: Int) {
        guard bytes.count > LineBuffer.shortBytesMax else { return handle(parse(bytes), of: id) }
        // What takes a while to be parsed keeps nobody waiting meanwhile.
        clients[id]?.stage = .asking
        longLineCount += 1
        worker.run {
            parse(bytes)
        } then: { [weak self] request in
            self?.assumeIsolated { $0.handleLong(request, of: id) }
        }
    }

    private func handleLong(_ request: Result<Vocabulary.Request, Refused>, of id: Int) {
        longLineCount -= 1
        guard clients[id] != nil else { return }
        handle(request, of: id)
        goOn(id)
    }

    private func handle(_ request: Result<Vocabulary.Request, Refused>, of id: Int) {
        guard let client = clients[id] else { return }
        switch request {
        case .success(let request):
            if let follow = request.form as? Follow {
                begin(follow, client, id)
            } else {
                client.stage = .asking
                client.isLooking = request.form is EnrolCode || request.form is TestCode
                ask(request, from: client.user, for: id)
            }
        case .failure(let refused): answer(id, refused.json.description)
        }
    }

    private func answer(_ id: Int, _ line: String) {
        guard let client = clients[id] else { return }
        (client.stage, client.isLooking) = (.listening, false)
        client.stillSinceUptime = uptime
        tell(id, line)
        goOn(id)
    }

    private func tell(_ id: Int, _ line: String) {
        if clients[id]?.tell(line) == false { clients[id] = nil }
    }

    // MARK: those who follow

    private func followers(of kind: Follow.Kind) -> [Int] {
        clients.filter { $0.value.follows(kind) }.keys.sorted()
    }

    private func begin(_ follow: Follow, _ client: Connection, _ id: Int) {
        client.stage = .following(Set(follow.what ?? [.status]))
        client.isStale = client.follows(.status)
        if client.follows(.happened), let since = follow.since {
            for event in history.events(since: since) { tell(id, line(event)) }
        }
        setMeter()
    }

    /// Everybody who follows the status is told the newest, as soon as what was told before is taken, and once for all that
    /// happens at once.
    private func statusChanged() {
        guard !isStatusDue, clients.contains(where: { $0.value.follows(.status) || $0.value.follows(.level) }) else {
            return
        }
        isStatusDue = true
        Task(executorPreference: loop) { await self.sendStatus() }
    }

    private func sendStatus() {
        isStatusDue = false
        let status = status
        for id in followers(of: .status) {
            clients[id]?.isStale = true
            // That there is news is no reason to wait longer for somebody who does not take the old.
            if clients[id]?.rest.isEmpty == true { clients[id]?.stillSinceUptime = uptime }
            sendStatus(id, status)
            listen(to: id)
        }
        setMeter()
    }

    private var status: String { line(FollowEvent(status: service.assumeIsolated { $0.statusReport })) }

    private func sendStatus(_ id: Int, _ status: @autoclosure () -> String) {
        guard let client = clients[id], client.isStale, client.rest.isEmpty else { return }
        client.isStale = false
        tell(id, status())
    }

    private nonisolated func line(_ event: FollowEvent) -> String { Done(event).json.description }

    /// Tells everybody who follows that kind of event.
    private func publish(_ event: FollowEvent, to kind: Follow.Kind) {
        let followers = followers(of: kind)
        guard !followers.isEmpty else { return }
        let line = line(event)
        for id in followers {
            if clients[id]?.isBehind == true { clients[id] = nil }
            tell(id, line)
            listen(to: id)
        }
    }

    /// While a session is open or a code is looked for, the clocks of the status go on; while something is heard, its level
    /// moves. At rest nobody is woken.
    private func setMeter() {
        let (isOpen, isHeard) = service.assumeIsolated { service in
            let status = service.engine.status(nextCount: 0)
            let isOpen = !status.sessions.isEmpty || status.unlocking != nil || status.looking != nil
            return (isOpen, service.bedside.speaker.status.activeOutput != nil)
        }
        let levels = isHeard && !followers(of: .level).isEmpty ? ControlSocket.levelMilliseconds : nil
        let seconds = isOpen && !followers(of: .status).isEmpty ? ControlSocket.secondMilliseconds : nil
        meter?.set(uptimeMilliseconds: (levels ?? seconds).map { uptime + $0 })
    }

    private func measure() {
        let speaker = service.bedside.speaker.status
        if let voice = speaker.activeOutput {
            let level = FollowEvent.Level(voice: "\(voice)", decibels: speaker.decibelsInTenths)
            publish(FollowEvent(level: level), to: .level)
        }
        let isSecondOver = uptime - statusUptime >= ControlSocket.secondMilliseconds
        if isSecondOver {
            statusUptime = uptime
            statusChanged()
        }
        setMeter()
    }
}

extension ControlSocket: Subscriber {
    /// Hears what everybody who follows is to be told.
    public func handle(_ event: ServiceEvent, from service: isolated Service) {
        let engine = service.engine
        assumeIsolated { socket in
            switch event {
            case .statusChanged: socket.statusChanged()
            case .prompted(let prompt): socket.publish(FollowEvent(told: FollowEvent.Told(prompt)), to: .told)
            case .notified(let notice): socket.publish(FollowEvent(told: FollowEvent.Told(notice)), to: .told)
            case .recorded(let entries):
                for event in socket.history.add(entries, in: engine) { socket.publish(event, to: .happened) }
            }
        }
    }
}
