// The requests by which a page gets its token: by presses of the buttons, or by an invitation.

import Alarms
import Engine
import Text

package struct Pair: Request {
    package struct Response: Codable, Sendable {
        /// The attempt, for the request `pairing`. Keep it secret: its holder gets the token.
        package let pairing: String
        /// The presses that the owner makes, in this order, and none for two seconds after them.
        package let presses: [Button]
        /// The seconds in which to press.
        package let seconds: Int

        package init(pairing: String, presses: [Button], seconds: Int) {
            (self.pairing, self.presses, self.seconds) = (pairing, presses, seconds)
        }
    }

    package let name: String

    package init(name: String) { self.name = name }

    package static let spec = RequestSpec(
        "pair", .post, "/pair", changes: true, may: nil,
        "Begins to pair a page, whose owner proves by presses to be at the device. Refused while anything rings or is "
            + "snoozed",
        fields: ["name": "the client's name, such as that of a phone, which the history shows"])
}

package struct GetPairing: Request {
    package enum State: String, Choice, Sendable { case waiting, paired, refused, expired }

    package struct Response: Codable, SparselyCoded, Sendable {
        /// The state of the attempt. `expired`: its time is over.
        package let state: State
        /// While it waits: the number of right presses so far.
        package var pressed: Int?
        /// While it waits: the seconds that are left.
        package var seconds: Int?
        /// The reason of a refusal, for programs.
        package var code: ErrorCode?
        /// The reason of a refusal, for people.
        package var reason: String?
        /// The client, once it is paired.
        package var client: ClientReport?
        /// Its token, once it is paired. A second request finds no such pairing.
        package var token: String?

        package init(_ state: State) { self.state = state }
    }

    package let pairing: String

    package init(pairing: String) { self.pairing = pairing }

    package static let spec = RequestSpec(
        "pairing", .get, "/pair/{pairing}", changes: false, may: nil,
        "Returns the state of an attempt, and once the token",
        fields: ["pairing": "the attempt, from the response to `pair`"])
}

package struct Invite: Request {
    package struct Response: Codable, Sendable {
        /// The secret for the request `claim`. A page reads it from its address, behind `#pair=`.
        package let secret: String
        /// The seconds in which it can be used, once.
        package let seconds: Int

        package init(secret: String, seconds: Int) { (self.secret, self.seconds) = (secret, seconds) }
    }

    package init() {}

    package static let spec = RequestSpec(
        "invite", .post, "/clients/invite", changes: true, may: .change,
        "Makes a secret by which one page can be paired without presses. An earlier invitation is over")
}

package struct ClaimInvitation: Request {
    package typealias Response = ClientOutcome

    package let secret: String
    package let name: String

    package init(secret: String, name: String) { (self.secret, self.name) = (secret, name) }

    package static let spec = RequestSpec(
        "claim", .post, "/pair/claim", changes: true, may: nil, "Pairs an invited page, and returns its token",
        fields: ["secret": "the secret of the invitation", "name": "the client's name, which the history shows"])
}
