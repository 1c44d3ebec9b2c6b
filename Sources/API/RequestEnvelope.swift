// A request with its id, its client and its conditions, as one line of JSON.

import Alarms
import CivilTime
import Engine
import JSON
import Text

package struct RequestEnvelope: Sendable {
    package let request: any Request
    /// The idempotency key. If the same client repeats the request, the service sends the same response and
    /// does nothing else, unless the first response was `busy`, `notReady` or `notKept`.
    package var id: String?
    /// The name that the client gives itself, such as that of a phone. The history shows it. It distinguishes
    /// clients that share a user and an origin, such as browsers.
    package var client: String?
    /// The ring that the client displayed. The request does not affect another ring.
    package var ifRing: RingReference?
    /// The revision that the client displayed. If the object has another revision by now, the service
    /// refuses the request.
    package var ifRevision: String?
    /// The token of a client over HTTP. Only the socket for those clients reads it.
    package var token: String?

    package init(_ request: any Request) { self.request = request }

    private static let nameBytesMax = 200

    /// Parses a line.
    package init(parsing bytes: [UInt8]) throws(ErrorResponse) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw .malformed("The request is not valid JSON: \(error)")
        }
        try self.init(json)
    }

    /// Reads the members of a request.
    package init(_ json: JSON) throws(ErrorResponse) {
        guard case .object(let members) = json else { throw .malformed("A request must be an object { … }") }
        do throws(JSONMismatch) {
            let header: Header = try json.decoded()
            let name = header.do
            guard let type = RequestSpec.typesByName[name] else {
                let near = RequestSpec.typesByName.keys.sorted().first(where: name.isNearly).map {
                    ": did you mean \"\($0)\"?"
                }
                throw JSONMismatch("do", "is an unknown request, \(name.quoted)\(near ?? "")")
            }
            let headerNames = ["do", "id", "client", "token"] + type.spec.conditions.map(\.rawValue)
            // An unknown member is an error. If a misspelt condition were ignored, the request could end
            // another ring.
            let unknown =
                RequestEnvelope.unknown(
                    members.filter { !headerNames.contains($0.name) }, known: type.fields.map(\.name) + headerNames)
                + RequestEnvelope.unknown(
                    json.member("ifRing")?.members ?? [], known: ["alarm", "at"], path: "ifRing.")
            guard unknown.isEmpty else { throw JSONMismatch(unknown) }
            for case let (field, text?) in [("id", header.id), ("client", header.client), ("token", header.token)]
            where text.isEmpty || text.utf8.count > RequestEnvelope.nameBytesMax {
                throw JSONMismatch(field, "must have 1 to \(RequestEnvelope.nameBytesMax) bytes")
            }
            if let client = header.client, client.count > Sender.clientMax {
                throw JSONMismatch("client", "must have at most \(Sender.clientMax) characters")
            }
            self.init(try json.decoded(as: type))
            id = header.id
            client = header.client
            ifRing = header.ifRing
            ifRevision = header.ifRevision
            token = header.token
        } catch {
            throw ErrorResponse(
                .malformed, error.problems.map(\.description).joined(separator: "; "),
                problems: error.problems.map(ProblemReport.init))
        }
    }

    /// The bound on unknown members that a response names, since a request may have thousands.
    private static let unknownMax = 20

    private static func unknown(
        _ members: [JSON.Member], known: @autoclosure () -> [String], path: String = ""
    ) -> [Problem] {
        // The fields of a type take long to derive.
        guard !members.isEmpty else { return [] }
        let known = known()
        return members.lazy.filter { !known.contains($0.name) }.prefix(unknownMax).map { member in
            let near = known.first(where: member.name.isNearly).map { ": did you mean \"\($0)\"?" }
            return Problem(path + member.name.inOneLine, "is an unknown field\(near ?? "")")
        }
    }

    /// The JSON object that sends the request.
    package var json: JSON {
        let header = Header(
            do: type(of: request).spec.name, id: id, client: client, token: token, ifRing: ifRing,
            ifRevision: ifRevision)
        return .object(JSON.members(header) + JSON.members(request))
    }

    /// The members that every request may have beside its fields.
    private struct Header: Codable {
        let `do`: String
        let id, client, token: String?
        let ifRing: RingReference?
        let ifRevision: String?
    }
}

/// A ring, identified by its alarm and its planned instant.
package struct RingReference: Codable, Hashable, Sendable {
    package let alarm: String
    package let at: Timestamp

    package init(alarm: String, at: Timestamp) { (self.alarm, self.at) = (alarm, at) }

    package var occurrence: Occurrence { Occurrence(alarm: alarm, at: at.instant) }
}

extension JSON {
    /// Returns the members of the encoded value, without those that are null.
    static func members(_ value: some Encodable) -> [Member] {
        JSON(encoding: value).members.filter { $0.value != .null }
    }
}
