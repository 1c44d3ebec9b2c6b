// The kinds of clients that a socket serves, and the proof of their rights.

import API
import Clients
import Devices
import Engine
import JSON
import Service

/// The kind of clients that a socket serves.
package enum Audience: Hashable, Sendable {
    /// The programs of this machine. The kernel admits the group of the socket's file, and each may send
    /// every request.
    case programs
    /// The clients over HTTP. `rooster-web` passes their requests on, each with the client's token. The
    /// service looks the token up for each request, so a fault in `rooster-web` grants no right.
    case clients

    var origin: Origin {
        switch self {
        case .programs: .commandLine
        case .clients: .page
        }
    }
}

/// A line of a client, as it was parsed on any thread.
struct ParsedLine: Sendable {
    let envelope: Result<RequestEnvelope, ErrorResponse>
    /// The token, also of a request with a mistake.
    private(set) var token: String?

    init(_ bytes: [UInt8]) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes)
        } catch {
            envelope = .failure(.malformed("The request is not valid JSON: \(error)"))
            return
        }
        if case .string(let text)? = json.member("token") { token = text }
        do throws(ErrorResponse) {
            envelope = .success(try RequestEnvelope(json))
        } catch {
            envelope = .failure(error)
        }
    }
}

extension ErrorResponse {
    fileprivate static let unpaired = ErrorResponse(
        .unpaired,
        "This client is not paired with Rooster. Pair it by the buttons of the device, or by a code that the device or "
            + "a paired client shows.")

    fileprivate static func notAllowed(_ client: PairedClient, _ needed: Permission) -> ErrorResponse {
        ErrorResponse(
            .notAllowed,
            "This client may not do that: it has the right \"\(client.may.rawValue)\", and not \"\(needed.rawValue)\"")
    }
}

extension Service {
    /// Returns the client with this token, and records that it is there; nil for an unknown token.
    private func client(with token: String?) -> PairedClient? {
        guard let token, let hash = ClientSecrets.hash(of: token) else { return nil }
        let engine = engineNow
        guard let client = engine.client(with: SecretHash(hash)) else { return nil }
        note(client, on: engine.today)
        return client
    }

    /// Returns the client that sends this line, or nil if its request needs none. Throws if the client is
    /// unknown, or may not send the request.
    func admit(_ line: ParsedLine) throws(ErrorResponse) -> PairedClient? {
        let client = client(with: line.token)
        // An unknown client does not learn the fault of its request.
        guard case .success(let envelope) = line.envelope else {
            if client == nil { throw .unpaired }
            return client
        }
        guard let needed = type(of: envelope.request).spec.may else { return client }
        guard let client else { throw .unpaired }
        // A client that only looks may go as well.
        let forgetsItself = (envelope.request as? ForgetClient)?.client == client.id
        guard client.may >= needed || forgetsItself else { throw .notAllowed(client, needed) }
        return client
    }
}
