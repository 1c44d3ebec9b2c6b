// The encoding of events and their senders in the journal.

import Alarms
import Engine
import JSON

extension Sender: ObjectCoded {
    package var members: [JSON.Member] {
        [.init("by", origin.rawValue)] + (client.map { [.init("client", $0)] } ?? [])
    }

    package init?(reading fields: inout Fields) {
        guard let origin: Origin = fields.choice("by") else { return nil }
        self.init(origin, client: fields.value("client"))
    }
}

extension Note: ObjectCoded {
    /// The name that people read, as in `wrong_answer`.
    var name: String {
        switch self {
        case .wrong: "wrong_answer"
        case .unlocked: "unlocked"
        case .skipped: "skipped"
        case .paused: "paused"
        }
    }

    package var members: [JSON.Member] {
        let kind: [JSON.Member] = if case .wrong(let kind) = self { [.init("challenge", kind.rawValue)] } else { [] }
        return [.init("what", name)] + kind
    }

    package init?(reading fields: inout Fields) {
        switch fields.value("what") as String? {
        case "wrong_answer"?:
            guard let kind: Challenge.Kind = fields.choice("challenge") else { return nil }
            self = .wrong(kind)
        case "unlocked"?: self = .unlocked
        case "skipped"?: self = .skipped
        case "paused"?: self = .paused
        default: return nil
        }
    }
}

/// An event of a snapshot: its time, and the kind and the members of its fact.
extension Entry: ObjectCoded {
    package var members: [JSON.Member] {
        let (kind, members) = fact.fields
        return [
            .init("ms", millisecondsSince1970), .init("kind", Int(kind.rawValue)), .init("fact", JSON.object(members)),
        ]
    }

    package init?(reading fields: inout Fields) {
        guard let milliseconds: Int = fields.value("ms"), let kind: Int = fields.value("kind"),
            case .object(let members)? = fields.value("fact") as JSON?, let number = UInt16(exactly: kind),
            let fact = Fact(kind: number, members)
        else { return nil }
        self.init(millisecondsSince1970: milliseconds, fact)
    }
}

extension Fact {
    /// The name of the fact for people and programs: that of its kind, or of the event that it notes.
    package var name: String { if case .noted(_, let note, _) = self { note.name } else { kind.name } }
}
