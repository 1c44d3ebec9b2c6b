// libmicrohttpd as a transport: it frames requests and responses, and decides nothing.

import CMicrohttpd
import EventLoop
import Glibc
import HTTP

/// The daemon of libmicrohttpd, with its connections and requests. It belongs to the thread of the event loop, on
/// which libmicrohttpd calls it.
final class Transport {
    /// The daemon; nil after the end.
    private var daemon: OpaquePointer?
    private var connections: [Int32: OpenConnection] = [:]
    private(set) var table = ConnectionTable()
    private var exchangeCount = 0
    private let gate: RequestGate
    private let handler: any WebHandler
    /// Returns the content of a static file.
    private let content: @Sendable (String) -> [UInt8]
    /// The requests that have come completely, and that no handler has yet.
    private var received: [Exchange] = []

    /// The requests with a long body that no handler has admitted yet.
    private var unadmitted: [Exchange] = []

    /// The memory of a connection for the head of a request and of a response.
    private static let headBytes = 32 << 10
    /// Connections that were cut may still be open when others begin.
    private static let connectionsMax = 2 * ConnectionTable.countMax

    init(
        _ gate: RequestGate, _ handler: any WebHandler, _ content: @escaping @Sendable (String) -> [UInt8]
    ) throws(TransportFailure) {
        (self.gate, self.handler, self.content) = (gate, handler, content)
        daemon = web_start(
            Unmanaged.passUnretained(self).toOpaque(), beginRequest, continueRequest, completeRequest, noticeConnection,
            UInt32(Transport.connectionsMax), Transport.headBytes)
        guard daemon != nil else { throw TransportFailure() }
    }

    var descriptor: Int32 { daemon.map { web_descriptor($0) } ?? -1 }

    var isEmpty: Bool { table.count == 0 }

    private var uptime: Int { EventLoop.uptimeMilliseconds }

    /// Ends all connections.
    func end() {
        guard let daemon else { return }
        // libmicrohttpd must not be stopped while a connection is suspended.
        for connection in connections.values { connection.cut() }
        MHD_run(daemon)
        self.daemon = nil
        MHD_stop_daemon(daemon)
    }

    /// Lets libmicrohttpd read and write. epoll reports readiness to it once, so it runs until it has nothing
    /// to do. Returns false if it has more to do after many turns.
    func run() -> Bool {
        guard let daemon else { return true }
        for _ in 0..<Transport.turnsMax {
            MHD_run(daemon)
            var milliseconds: UInt64 = 0
            guard MHD_get_timeout(daemon, &milliseconds) == .YES, milliseconds == 0 else { return true }
        }
        return false
    }

    private static let turnsMax = 16

    /// Removes and returns the requests that have come completely.
    func takeReceived() -> [Exchange] {
        defer { received = [] }
        return received
    }

    /// Removes and returns the requests that wait for their admission.
    func takeUnadmitted() -> [Exchange] {
        defer { unadmitted = [] }
        return unadmitted
    }

    /// Takes a new connection, or closes it.
    func add(_ descriptor: Int32) {
        guard let daemon, let addresses = ConnectionAddresses(of: descriptor),
            case .accepted(let id, let dispensable) = table.admit(addresses, at: uptime)
        else {
            Glibc.close(descriptor)
            return
        }
        if let dispensable { cut(dispensable) }
        // Otherwise a client that has vanished would hold its connection for minutes.
        var milliseconds: Int32 = 20_000
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<Int32>.size))
        connections[descriptor] = OpenConnection(descriptor, id, addresses)
        var peer = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isAdded = withUnsafeMutablePointer(to: &peer) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getpeername(descriptor, address, &length)
                return MHD_add_connection(daemon, descriptor, address, length) == .YES
            }
        }
        // On failure libmicrohttpd has closed the descriptor.
        if !isAdded { forget(descriptor) }
    }

    /// Cuts the connections whose deadline has passed.
    func cutExpired() {
        for id in table.takeExpired(at: uptime) { cut(id) }
    }

    private func cut(_ id: ConnectionTable.ID) { connections.values.first { $0.id == id }?.cut() }

    private func forget(_ descriptor: Int32) {
        guard let open = connections.removeValue(forKey: descriptor) else { return }
        open.exchange?.end()
        table.remove(open.id)
    }

    // MARK: called by libmicrohttpd

    fileprivate func begin(_ target: [UInt8], _ connection: OpaquePointer) -> UnsafeMutableRawPointer? {
        guard let open = connections[web_connection_descriptor(connection)] else { return nil }
        exchangeCount += 1
        let exchange = Exchange(exchangeCount, target: target, on: connection)
        open.exchange = exchange
        // A connection may wait long for its next request, but not within one.
        table.note(.head, of: open.id, at: uptime)
        return Unmanaged.passUnretained(exchange).toOpaque()
    }

    /// Continues a request: its head has come, a part of its body, its end, or its answer.
    fileprivate func proceed(
        _ connection: OpaquePointer, method: [UInt8], version: [UInt8], _ piece: UnsafeRawBufferPointer
    ) -> MHD_Result {
        guard let open = connections[web_connection_descriptor(connection)], let exchange = open.exchange else {
            return .NO
        }
        switch exchange.stage {
        case .begun:
            let head = RequestHead(
                method: method, target: exchange.target, version: version, fields: HeaderField.all(of: connection),
                connection: open.addresses)
            return judge(head, exchange, open, connection)
        case .receiving where !piece.isEmpty:
            exchange.receive(piece)
            return .YES
        case .receiving: return finish(exchange, open, connection)
        case .answered(let answer): return queue(answer, exchange, open, connection)
        // The connection was cut.
        case .waiting, .queued: return .NO
        }
    }

    private func judge(
        _ head: RequestHead, _ exchange: Exchange, _ open: OpenConnection, _ connection: OpaquePointer
    ) -> MHD_Result {
        do throws(GateRefusal) {
            let request = try gate.judge(head)
            exchange.request = request
            exchange.limit = handler.bodyLimit(request)
            try exchange.limit.check(request.body)
            if exchange.limit.rawValue > BodyLimit.ordinary.rawValue {
                exchange.awaitAdmission()
                unadmitted.append(exchange)
            }
            exchange.stage = .receiving
            table.note(.body, of: open.id, at: uptime)
            return .YES
        } catch {
            return queue(Answer(.refusal(error)), exchange, open, connection, isLast: true)
        }
    }

    private func finish(_ exchange: Exchange, _ open: OpenConnection, _ connection: OpaquePointer) -> MHD_Result {
        if let refusal = exchange.refusal {
            return queue(Answer(refusal), exchange, open, connection, isLast: true)
        }
        // A short body may be complete before the decision, which comes by another call.
        guard !exchange.isUndecided else {
            exchange.suspend()
            return .YES
        }
        guard !exchange.isTooLong else {
            return queue(Answer(.refusal(.bodyTooLong)), exchange, open, connection, isLast: true)
        }
        exchange.stage = .waiting
        // The service answers in its own time.
        table.note(.stream, of: open.id, at: uptime)
        received.append(exchange)
        exchange.suspend()
        return .YES
    }

    private func queue(
        _ answer: Answer, _ exchange: Exchange, _ open: OpenConnection, _ connection: OpaquePointer,
        isLast: Bool = false
    ) -> MHD_Result {
        exchange.stage = .queued
        if answer.isKnown { table.noteCredential(of: open.id) }
        let (bytes, source) = body(of: answer.response, exchange, open)
        table.note(exchange.stream == nil ? .write : .stream, of: open.id, at: uptime)
        guard let response = answer.response.made(source, bytes, isLast: isLast) else { return .NO }
        defer { MHD_destroy_response(response) }
        return MHD_queue_response(connection, UInt32(answer.response.status.rawValue), response)
    }

    /// Returns the body of a response: its bytes, or the source of a body that is long or has no end.
    private func body(
        of response: HTTPResponse, _ exchange: Exchange, _ open: OpenConnection
    ) -> ([UInt8], BodySource?) {
        let isStream = exchange.stream != nil
        let progressed = { [unowned self] in
            if !isStream { table.note(.write, of: open.id, at: uptime) }
        }
        func source(_ content: BodySource.Content) -> BodySource {
            BodySource(content, progressed: progressed) { [unowned exchange] in exchange.suspend() }
        }
        switch response.body {
        case .events: return ([], exchange.stream.map { source(.events($0)) })
        case .bytes(let bytes): return bytes.count <= BodySource.wholeBytes ? (bytes, nil) : ([], source(.bytes(bytes)))
        case .file(let name): return (content(name), nil)
        }
    }

    fileprivate func complete(_ connection: OpaquePointer) {
        guard let open = connections[web_connection_descriptor(connection)] else { return }
        open.exchange?.end()
        open.exchange = nil
        table.note(.idle, of: open.id, at: uptime)
    }

    fileprivate func close(_ connection: OpaquePointer) { forget(web_connection_descriptor(connection)) }
}

struct TransportFailure: Error, CustomStringConvertible {
    let description = "The web server cannot start: libmicrohttpd gives no reason"
}

// MARK: the callbacks

private func transport(_ context: UnsafeMutableRawPointer?) -> Transport? {
    context.map { Unmanaged<Transport>.fromOpaque($0).takeUnretainedValue() }
}

private func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8] {
    text.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) } ?? []
}

private let beginRequest: web_begin = { context, target, connection in
    guard let connection else { return nil }
    return transport(context)?.begin(bytes(target), connection)
}

private let continueRequest: MHD_AccessHandlerCallback = { context, connection, _, method, version, data, size, _ in
    guard let connection, let transport = transport(context) else { return .NO }
    let piece = UnsafeRawBufferPointer(start: data, count: size?.pointee ?? 0)
    let result = transport.proceed(connection, method: bytes(method), version: bytes(version), piece)
    size?.pointee = 0
    return result
}

private let completeRequest: MHD_RequestCompletedCallback = { context, connection, _, _ in
    guard let connection else { return }
    transport(context)?.complete(connection)
}

private let noticeConnection: MHD_NotifyConnectionCallback = { context, connection, _, notice in
    guard let connection, notice == .CONNECTION_NOTIFY_CLOSED else { return }
    transport(context)?.close(connection)
}

extension HeaderField {
    /// Returns all headers of a request, with their lengths: a value may contain a NUL.
    fileprivate static func all(of connection: OpaquePointer) -> [HeaderField] {
        var fields: [HeaderField] = []
        withUnsafeMutablePointer(to: &fields) { list in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    let list = context?.assumingMemoryBound(to: [HeaderField].self)
                    list?.pointee.append(
                        HeaderField(
                            name: Array(UnsafeRawBufferPointer(start: name, count: nameSize)),
                            value: Array(UnsafeRawBufferPointer(start: value, count: valueSize))))
                    return .YES
                }, list)
        }
        return fields
    }
}
