// A client over HTTP that may use Rooster: the page of a browser, or a script.

import CivilTime
import Text

/// The rights of a client. Each includes those before it.
package enum Permission: String, Choice, Comparable {
    /// See everything but secrets.
    case look
    /// Handle rings: snooze, stop and answer them, skip them, put them off.
    case use
    /// Send every request.
    case change

    package static func < (a: Permission, b: Permission) -> Bool { a.rank < b.rank }

    private var rank: Int { Permission.allCases.firstIndex(of: self) ?? 0 }
}

/// The hash of a secret: a client's token, or the secret of an invitation. The secret itself is never stored.
package struct SecretHash: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

/// A client with a token of its own.
package struct PairedClient: Hashable, Sendable, Identifiable {
    package enum Kind: String, Choice { case page, script }

    package let id: String
    /// The name that its owner gave it. The history shows it.
    package let name: String
    package let kind: Kind
    package let may: Permission
    /// The hash of its token.
    package let token: SecretHash
    /// The last day on which it sent a request, in the device's zone.
    package fileprivate(set) var day: CivilDate

    /// The bound on a name in bytes: a few characters can have thousands.
    package static let nameBytesMax = 200

    package init(id: String, name: String, kind: Kind, may: Permission, token: SecretHash, day: CivilDate) {
        (self.id, self.name, self.kind, self.may) = (id, name.withoutBlankEnds, kind, may)
        (self.token, self.day) = (token, day)
    }
}

/// The clients that have a token.
package struct PairedClients: Hashable, Sendable {
    /// The clients, in the order in which they were added.
    package private(set) var all: [PairedClient] = []

    /// The bound on clients. At the bound, a new one replaces the one that was idle for longest.
    package static let countMax = 64
    /// The days without a request after which a client is unknown.
    package static let idleDaysMax = 400

    package subscript(id: PairedClient.ID) -> PairedClient? { all.first { $0.id == id } }

    package init() {}

    package mutating func add(_ client: PairedClient) {
        forget(client.id)
        all.append(client)
    }

    package mutating func forget(_ id: PairedClient.ID) { all.removeAll { $0.id == id } }

    /// Notes that a client has sent a request on this day.
    package mutating func note(_ id: PairedClient.ID, on day: CivilDate) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        all[index].day = max(all[index].day, day)
    }
}
