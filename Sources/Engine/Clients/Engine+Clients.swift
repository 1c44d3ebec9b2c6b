// The clients over HTTP: which are known, and the commands that add and forget them.

import Alarms
import CivilTime
import Clients
import Text

/// A command about clients.
package enum ClientCommand: Hashable, Sendable {
    /// Add a client, whose token its owner receives once.
    case add(PairedClient)
    /// Forget a client: its token is unknown from now on.
    case forget(PairedClient.ID)
    /// Open an attempt to pair a client. `isKnown`: its sender has rights already, and need not wait.
    case pair(PairedClient, isKnown: Bool)
    /// Report an attempt that has succeeded, once.
    case collect(PairedClient.ID)
    /// Invite a client, which proves itself by this secret.
    case invite(SecretHash)
    /// Add a client that was invited.
    case claim(SecretHash, PairedClient)

    /// True if the command changes durable state.
    var isChange: Bool {
        switch self {
        case .add, .forget, .claim: true
        case .pair, .collect, .invite: false
        }
    }
}

/// The outcome of a command about clients.
package enum ClientResult: Hashable, Sendable {
    case added(PairedClient)
    /// The attempt is open. The client shows these presses to its owner.
    case opened([Button], milliseconds: Int)
    case collected(PairedClient)
}

extension Engine {
    /// The present day in the device's zone.
    package var today: CivilDate { zone.local(clock.instant).date }

    /// The clients whose tokens are known.
    package var knownClients: [PairedClient] { clients.all.filter { !isIdle($0) } }

    /// Returns the client with this token, or nil if the token is unknown.
    package func client(with token: SecretHash) -> PairedClient? {
        clients.all.first { $0.token == token }.flatMap { isIdle($0) ? nil : $0 }
    }

    /// Returns true if a client has sent no request for so long that it is unknown. A clock that is not trusted
    /// may be years ahead, so it makes no client unknown.
    private func isIdle(_ client: PairedClient) -> Bool {
        clock.isTrusted && today.dayNumber - client.day.dayNumber > PairedClients.idleDaysMax
    }

    /// Records the day of a client's request, once a day.
    mutating func clientSeen(_ id: PairedClient.ID) {
        guard clock.isTrusted, let client = clients[id], client.day < today else { return }
        record(.clientSeen(id, today))
    }

    func change(_ command: ClientCommand) throws(Refusal) -> Decision {
        switch command {
        case .add(let client): return try add(client)
        case .forget(let id):
            guard let client = knownClients.first(where: { $0.id == id }) else { throw .noSuchClient(id) }
            return ([.clientForgotten(id, name: client.name)], .done)
        case .claim(let secret, let client):
            guard pairing.isInvited(by: secret, at: clock.uptime) else { throw .noInvitation }
            return try add(client)
        case .pair, .collect, .invite: return ([], .done)
        }
    }

    /// Adds a client. Clients that are idle for too long go, and so does the idlest if there is no room.
    private func add(_ client: PairedClient) throws(Refusal) -> Decision {
        try refuse(client.nameProblems)
        let known = knownClients
        let idle = clients.all.filter(isIdle)
        let idlest = known.count < PairedClients.countMax ? nil : known.min { $0.day < $1.day }
        let gone = idle + [idlest].compactMap(\.self)
        return (gone.map { .clientForgotten($0.id, name: $0.name) } + [.clientAdded(client)], .client(.added(client)))
    }
}

extension Engine {
    /// Applies a fact to the clients, and to the attempt of one that is durable now.
    mutating func applyToClients(_ fact: Fact) {
        switch fact {
        case .clientAdded(let client):
            clients.add(client)
            pairing.confirm(client)
        case .clientForgotten(let id, _): clients.forget(id)
        case .clientSeen(let id, let day): clients.note(id, on: day)
        default: break
        }
    }
}

extension PairedClient {
    var nameProblems: [Problem] {
        let isLong = name.count > Sender.clientMax || name.utf8.count > PairedClient.nameBytesMax
        guard name.isEmpty || isLong else { return [] }
        return [Problem("name", "must have 1 to \(Sender.clientMax) characters")]
    }
}
