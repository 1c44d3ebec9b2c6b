// The web server: accepts connections, keeps their deadlines, and passes requests to a handler.

import CLinux
import EventLoop
import Glibc
import HTTP
import System

/// The part that answers requests. It is called on the event loop.
package protocol WebHandler: Sendable {
    /// Returns the limit on the body of a request.
    func bodyLimit(_ request: HTTPRequest) -> BodyLimit
    /// Passes on the refusal of a request whose body may be longer than an ordinary one, or nil to admit it. It is
    /// called when the head has come, at once or later, exactly once: a stranger must not fill the memory.
    func admit(_ request: HTTPRequest, _ decide: @escaping @Sendable (HTTPResponse?) -> Void)
    /// Answers a request, at once or later, exactly once.
    func handle(_ request: HTTPRequest, _ body: [UInt8], _ answer: @escaping @Sendable (Answer) -> Void)
}

/// The answer to a request.
package struct Answer: Sendable {
    package var response: HTTPResponse
    /// True if the credential of the request was accepted.
    package var isKnown = false
    /// Begins the stream that follows the head of the response; nil for a response with a body.
    package var begin: (@Sendable (StreamWriter) -> Void)?

    package init(
        _ response: HTTPResponse, isKnown: Bool = false, begin: (@Sendable (StreamWriter) -> Void)? = nil
    ) { (self.response, self.isKnown, self.begin) = (response, isKnown, begin) }
}

/// The sender of a stream's events.
package struct StreamWriter: Sendable {
    fileprivate let server: WebServer
    fileprivate let number: Int

    /// Sends an event. One that a later event replaces is dropped while the client does not read.
    package func send(_ event: ServerSentEvent, isReplaceable: Bool = false) {
        server.assumeIsolated { $0.send(event.bytes, isReplaceable: isReplaceable, on: number) }
    }

    /// Ends the stream after the events that were sent.
    package func end() { server.assumeIsolated { $0.endStream(number) } }

    /// Calls an action once, when the stream is over.
    package func whenOver(_ act: @escaping @Sendable () -> Void) {
        server.assumeIsolated { $0.whenOver(number, act) }
    }
}

package actor WebServer {
    nonisolated let loop: EventLoop
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let listeners: [Listener]
    private let gate: RequestGate
    private let handler: any WebHandler
    private let content: @Sendable (String) -> [UInt8]
    private var transport: Transport?
    private var watches: [Watch] = []
    /// Cuts connections whose deadline has passed.
    private var reaper: LoopTimer?
    private var reaperUptime = Int.max
    /// Sends comments to the streams, so that each side notices the loss of the other.
    private var heart: LoopTimer?
    /// The requests that wait for their answer, and the streams, by number.
    private var exchanges: [Int: Exchange] = [:]
    /// The requests with a long body that are not admitted yet, by number.
    private var unadmitted: [Int: Exchange] = [:]
    private var isTurnScheduled = false
    /// Called when the last connection has closed, and when one opens.
    private var occupied: (@Sendable (Bool) -> Void)?
    private var wasOccupied = false

    private static let acceptsMax = 32
    private static let heartMilliseconds = 15_000

    /// Creates a server. `content` returns the content of a static file by its name.
    package init(
        _ listeners: [Listener], _ gate: RequestGate, _ handler: any WebHandler, on loop: EventLoop,
        content: @escaping @Sendable (String) -> [UInt8] = { _ in [] },
        occupied: (@Sendable (Bool) -> Void)? = nil
    ) {
        (self.listeners, self.gate, self.handler, self.loop) = (listeners, gate, handler, loop)
        (self.content, self.occupied) = (content, occupied)
    }

    package func open() throws {
        let transport = try Transport(gate, handler, content)
        self.transport = transport
        reaper = try timer { $0.cutExpired() }
        heart = try timer { $0.beat() }
        watches = [try watch(transport.descriptor) { $0.turn() }]
        for listener in listeners {
            watches.append(try watch(listener.descriptor) { $0.accept(from: listener) })
        }
    }

    package func close() {
        (watches, reaper, heart) = ([], nil, nil)
        transport?.end()
        (transport, exchanges, unadmitted) = (nil, [:], [:])
    }

    private func watch(
        _ descriptor: Int32, _ act: @escaping @Sendable (isolated WebServer) -> Void
    ) throws(SystemCallError) -> Watch {
        try loop.watch(descriptor, for: .readable) { [weak self] _ in self?.assumeIsolated { act($0) } }
    }

    private func timer(_ act: @escaping @Sendable (isolated WebServer) -> Void) throws(SystemCallError) -> LoopTimer {
        try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { act($0) } }
    }

    // MARK: turns

    private func accept(from listener: Listener) {
        for _ in 0..<WebServer.acceptsMax {
            let client = linux_accept(listener.descriptor)
            guard client >= 0 else { break }
            transport?.add(client)
        }
        turn()
    }

    /// Lets libmicrohttpd work. Between turns the loop does its other work.
    private func turn() {
        isTurnScheduled = false
        guard let transport else { return }
        if !transport.run() { scheduleTurn() }
        for exchange in transport.takeUnadmitted() { admit(exchange) }
        for exchange in transport.takeReceived() { dispatch(exchange) }
        setReaper(transport.table.nextDeadline)
        if wasOccupied == transport.isEmpty {
            wasOccupied = !transport.isEmpty
            occupied?(wasOccupied)
        }
    }

    private func scheduleTurn() {
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        Task(executorPreference: loop) { await self.turn() }
    }

    /// Sets the reaper if no earlier deadline is set. One that has become later costs a wake-up in vain.
    private func setReaper(_ deadline: Int?) {
        guard let deadline, deadline < reaperUptime else { return }
        reaperUptime = deadline
        reaper?.set(uptimeMilliseconds: deadline)
    }

    private func cutExpired() {
        reaperUptime = .max
        transport?.cutExpired()
        turn()
    }

    // MARK: requests

    private func admit(_ exchange: Exchange) {
        guard let request = exchange.request else { return }
        let number = exchange.number
        unadmitted[number] = exchange
        handler.admit(request) { [weak self] refusal in
            self?.assumeIsolated { $0.decide(number, refusal) }
        }
    }

    private func decide(_ number: Int, _ refusal: HTTPResponse?) {
        guard let exchange = unadmitted.removeValue(forKey: number) else { return }
        exchange.admit(refusal)
        scheduleTurn()
    }

    private func dispatch(_ exchange: Exchange) {
        guard let request = exchange.request else { return }
        let number = exchange.number
        exchanges[number] = exchange
        handler.handle(request, exchange.body) { [weak self] answer in
            self?.assumeIsolated { $0.answer(number, answer) }
        }
    }

    private func answer(_ number: Int, _ answer: Answer) {
        guard let exchange = exchanges[number], case .waiting = exchange.stage else {
            exchanges[number] = nil
            return
        }
        exchange.stage = .answered(answer)
        if let begin = answer.begin {
            let stream = EventStream()
            exchange.stream = stream
            stream.whenOver { [weak self] in self?.assumeIsolated { $0.exchanges[number] = nil } }
            begin(StreamWriter(server: self, number: number))
            // A stream that begins must not put off the comments of the others.
            if exchanges.values.count(where: { $0.stream != nil }) == 1 { setHeart() }
        } else {
            exchanges[number] = nil
        }
        exchange.resume()
        scheduleTurn()
    }

    // MARK: streams

    fileprivate func send(_ bytes: [UInt8], isReplaceable: Bool, on number: Int) {
        guard let exchange = exchanges[number] else { return }
        exchange.stream?.add(bytes, isReplaceable: isReplaceable)
        exchange.resume()
        scheduleTurn()
    }

    fileprivate func endStream(_ number: Int) {
        guard let exchange = exchanges[number] else { return }
        exchange.stream?.end()
        exchange.resume()
        scheduleTurn()
    }

    fileprivate func whenOver(_ number: Int, _ act: @escaping @Sendable () -> Void) {
        guard let stream = exchanges[number]?.stream else { return act() }
        stream.whenOver(act)
    }

    private func setHeart() {
        let hasStream = exchanges.values.contains { $0.stream != nil }
        heart?.set(uptimeMilliseconds: hasStream ? EventLoop.uptimeMilliseconds + WebServer.heartMilliseconds : nil)
    }

    private func beat() {
        for (number, exchange) in exchanges where exchange.stream != nil {
            send(ServerSentEvent.comment(), isReplaceable: true, on: number)
        }
        setHeart()
    }
}
