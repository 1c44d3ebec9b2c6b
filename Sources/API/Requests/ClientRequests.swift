// The requests about clients over HTTP: the pages of browsers, and scripts.

import CivilTime
import Clients
import Engine
import Text

/// A client that has a token.
package struct ClientReport: Codable, Hashable, Sendable {
    package let id: String
    package let name: String
    package let kind: PairedClient.Kind
    /// The client's rights: see everything (`look`), also handle rings (`use`), or send every request (`change`).
    package let may: Permission
    /// The last day on which it sent a request.
    package let day: CivilDate

    package init(_ client: PairedClient) {
        (id, name, kind, may, day) = (client.id, client.name, client.kind, client.may, client.day)
    }
}

/// A new client, and its token. No other response contains the token.
package struct ClientOutcome: Codable, Sendable {
    /// The client, without its token.
    package let client: ClientReport
    /// The client sends it with each request. Rooster keeps only its hash.
    package let token: String

    package init(client: PairedClient, token: String) { (self.client, self.token) = (ClientReport(client), token) }
}

package struct Hello: Request {
    /// A way to get a token. Each client may also get one by a command on the device.
    package enum Way: String, Choice, Sendable {
        /// Press the device's buttons as the request `pair` says.
        case presses
        /// Send the secret that the request `invite` has made.
        case invitation
    }

    package struct Response: Codable, Sendable {
        /// The name of the product, "Rooster".
        package let name: String
        /// The version of Rooster.
        package let version: String
        /// True if the hardware is simulated.
        package let simulated: Bool
        /// The ways to get a token.
        package let ways: [Way]
        /// The client that sent the request; missing if its token is missing or unknown.
        package let client: ClientReport?

        package init(simulated: Bool, ways: [Way], client: ClientReport?) {
            (name, version, self.simulated, self.ways, self.client) = (
                "Rooster", roosterVersion, simulated, ways, client
            )
        }
    }

    package init() {}

    package static let spec = RequestSpec(
        "hello", .get, "/", changes: false, may: nil, "Returns the version, and the ways to get a token")
}

package struct ListClients: Request {
    package struct Response: Codable, Sendable {
        /// The clients whose tokens are known.
        package let clients: [ClientReport]

        package init(clients: [ClientReport]) { self.clients = clients }
    }

    package init() {}

    package static let spec = RequestSpec(
        "clients", .get, "/clients", changes: false, may: .look,
        "Returns the clients over HTTP, in the order in which they were added")
}

package struct ForgetClient: Request {
    package let client: String

    package init(client: String) { self.client = client }

    package static let spec = RequestSpec(
        "forgetClient", .delete, "/clients/{client}", changes: true, may: .change,
        "Forgets a client: its token is unknown from now on. Any client may forget itself",
        fields: ["client": "the client's id"])
}

package struct AddToken: Request {
    package typealias Response = ClientOutcome

    package let name: String
    package let may: Permission

    package init(name: String, may: Permission) { (self.name, self.may) = (name, may) }

    package static let spec = RequestSpec(
        "addToken", .post, "/clients/tokens", changes: true, may: .change, "Adds a script, and returns its token",
        fields: [
            "name": "the script's name, which the history shows",
            "may": "the script's rights: look, use (handle rings as well) or change (everything)",
        ])
}
