// A request: a form, and what its sender says of it.

import Alarms
import CivilTime
import JSON
import Text

/// A form that was filled in, by whom it is known if it comes again, and what it is about.
package struct Request: Sendable {
    package var form: any Form
    /// By what it is known if it comes again from the same client: it does nothing then, and is answered as before.
    package var id: String?
    /// Tells clients of one user apart that share a door, as browsers do.
    package var client: String?
    /// The ring that its sender was shown: no other is snoozed, skipped or stopped.
    package var meant: MeantRing?
    /// The revision that its sender has seen of what it changes: where that is another by now, nothing is changed.
    package var basedOn: String?

    package init(
        _ form: any Form, id: String? = nil, client: String? = nil, meant: MeantRing? = nil, basedOn: String? = nil
    ) {
        (self.form, self.id, self.client, self.meant, self.basedOn) = (form, id, client, meant, basedOn)
    }

    private static let nameBytesMax = 200

    /// Reads a line.
    package init(parsing bytes: [UInt8]) throws(Refused) {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes)
        } catch {
            throw .malformed("This is no JSON: \(error)")
        }
        guard case .object(let members) = json else { throw .malformed("A request is an object { … }") }
        do throws(JSONMismatch) {
            let envelope: Envelope = try json.decoded()
            let name = envelope.do
            guard let type = Forms.byName[name] else {
                let near = Forms.byName.keys.sorted().first(where: name.isNearly).map { ": did you mean \"\($0)\"?" }
                throw JSONMismatch("do", "nobody knows \(name.quoted)\(near ?? "")")
            }
            let conditions = type.row.conditions.map(\.rawValue)
            // Whoever says badly which ring is meant must not end another.
            let strange =
                Request.strange(members, among: type.fields.map(\.name) + ["do", "id", "client"] + conditions)
                + Request.strange(json.member("meant")?.members ?? [], among: ["alarm", "at"], at: "meant.")
            guard strange.isEmpty else { throw JSONMismatch(strange) }
            for case let (field, text?) in [("id", envelope.id), ("client", envelope.client)]
            where text.isEmpty || text.utf8.count > Request.nameBytesMax {
                throw JSONMismatch(field, "must have 1 to \(Request.nameBytesMax) bytes")
            }
            self.init(
                try Request.form(type, json), id: envelope.id, client: envelope.client, meant: envelope.meant,
                basedOn: envelope.basedOn)
        } catch {
            throw Refused(
                .malformed, error.problems.map(\.description).joined(separator: "; "),
                problems: error.problems.map(ProblemReport.init))
        }
    }

    /// Whoever sends thousands of them is told of some.
    private static let strangeMax = 20

    private static func strange(
        _ members: [JSON.Member], among known: [String], at place: String = ""
    ) -> [Problem] {
        members.lazy.filter { !known.contains($0.name) }.prefix(strangeMax).map { member in
            let near = known.first(where: member.name.isNearly).map { ": did you mean \"\($0)\"?" }
            return Problem(place + member.name.inOneLine, "means nothing here\(near ?? "")")
        }
    }

    private static func form<Filled: Form>(_ type: Filled.Type, _ json: JSON) throws(JSONMismatch) -> any Form {
        try json.decoded(as: type)
    }

    /// The line that asks for it.
    package var json: JSON {
        let envelope = Envelope(do: type(of: form).row.name, id: id, client: client, meant: meant, basedOn: basedOn)
        return .object(JSON.members(envelope) + form.members)
    }

    /// What every request may say beside its own fields.
    private struct Envelope: Codable {
        let `do`: String
        let id, client: String?
        let meant: MeantRing?
        let basedOn: String?
    }
}

/// A ring, by its alarm and the instant for which it is set.
package struct MeantRing: Codable, Hashable, Sendable {
    package let alarm: String
    package let at: Timestamp

    package init(alarm: String, at: Timestamp) { (self.alarm, self.at) = (alarm, at) }

    package var occurrence: Occurrence { Occurrence(alarm: alarm, at: at.instant) }
}

extension Form {
    fileprivate var members: [JSON.Member] { JSON.members(self) }
}

extension JSON {
    /// The members that a value encodes to, without those that are nothing.
    static func members(_ value: some Encodable) -> [Member] {
        JSON(encoding: value).members.filter { $0.value != .null }
    }
}
