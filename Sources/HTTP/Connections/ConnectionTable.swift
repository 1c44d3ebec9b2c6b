// The open connections: how many there may be, and how long each may wait.
//
// The library's own time-outs end an idle connection, but not one that sends a byte a second, and it knows no
// limit for one address. So the transport keeps this table, and shuts down the sockets that it names:
//
// 1. A new connection is accepted if there is room. A full table closes the connection that has shown the
//    least: first one without a whole request, then one between two requests, then one that sends a body.
//    Connections whose credential was accepted are the last to go. So a crowd of idle strangers keeps
//    no paired phone out.
// 2. A connection has a stage, and each stage a deadline.
// 3. Requests that are being answered and streams of events are never closed for a newcomer.

package struct ConnectionTable: Sendable {
    package struct ID: Hashable, Sendable { fileprivate let number: Int }

    /// The thing that a connection waits for, in the order in which connections make room.
    package enum Stage: Int, CaseIterable, Sendable {
        /// The end of the headers.
        case head
        /// The next request.
        case idle
        /// The end of the body.
        case body
        /// The client, which takes the response. Each write begins the wait again.
        case write
        /// An event.
        case stream

        /// The longest wait. A stream has none, since its comments are writes.
        package var millisecondsMax: Int? {
            switch self {
            case .head: 10_000
            case .idle: 60_000
            case .body: 30_000
            case .write: 20_000
            case .stream: nil
            }
        }

        fileprivate var mayMakeRoom: Bool { self == .head || self == .idle || self == .body }
    }

    package enum Admission: Hashable, Sendable {
        /// The connection is open. The other one must be shut down for it.
        case accepted(ID, closing: ID?)
        /// The connection must be closed at once: its address is public, or there is no room.
        case refused
    }

    package static let countMax = 64
    /// Does not apply to this machine itself, where a front end makes all connections.
    package static let countPerAddressMax = 8

    private struct Entry {
        let peer: NetworkAddress
        var stage = Stage.head
        var since: Int
        var isKnown = false
        /// True after the transport was given the order to shut it down.
        var isClosing = false

        var deadline: Int? { isClosing ? nil : stage.millisecondsMax.map { since + $0 } }
    }

    private var entries: [ID: Entry] = [:]
    private var lastNumber = 0

    package init() {}

    package var count: Int { entries.count }

    /// Admits a connection, at an uptime in milliseconds.
    package mutating func admit(_ addresses: ConnectionAddresses, at now: Int) -> Admission {
        guard addresses.areAnswered else { return .refused }
        let peer = addresses.peer
        let open = entries.filter { !$0.value.isClosing }
        let same = open.filter { $0.value.peer == peer }
        var closing: ID?
        if !peer.isLoopback, same.count >= Self.countPerAddressMax {
            guard let dispensable = Self.dispensable(same) else { return .refused }
            closing = dispensable
        } else if open.count >= Self.countMax {
            guard let dispensable = Self.dispensable(open) else { return .refused }
            closing = dispensable
        }
        if let closing { entries[closing]?.isClosing = true }
        lastNumber += 1
        let id = ID(number: lastNumber)
        entries[id] = Entry(peer: peer, since: now)
        return .accepted(id, closing: closing)
    }

    private static func dispensable(_ entries: [ID: Entry]) -> ID? {
        func order(_ pair: (key: ID, value: Entry)) -> (Int, Int, Int, Int) {
            (pair.value.isKnown ? 1 : 0, pair.value.stage.rawValue, pair.value.since, pair.key.number)
        }
        return entries.filter { $0.value.stage.mayMakeRoom }.min { order($0) < order($1) }?.key
    }

    /// Notes that a connection waits for something else. A stage that goes on keeps its deadline, so that a
    /// byte a second gains nothing; only a write begins again.
    package mutating func note(_ stage: Stage, of id: ID, at now: Int) {
        guard let entry = entries[id], entry.stage != stage || stage == .write else { return }
        entries[id]?.stage = stage
        entries[id]?.since = now
    }

    /// Notes that a request of this connection had a valid credential.
    package mutating func noteCredential(of id: ID) { entries[id]?.isKnown = true }

    /// Notes that a connection is closed.
    package mutating func remove(_ id: ID) { entries[id] = nil }

    /// The earliest deadline, as an uptime in milliseconds.
    package var nextDeadline: Int? { entries.values.compactMap(\.deadline).min() }

    /// Returns the connections whose deadline has passed, each once. The transport shuts them down.
    package mutating func takeExpired(at now: Int) -> [ID] {
        let expired = entries.filter { $0.value.deadline.map { $0 <= now } ?? false }.keys.sorted {
            $0.number < $1.number
        }
        for id in expired { entries[id]?.isClosing = true }
        return expired
    }
}
