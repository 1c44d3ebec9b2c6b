// The encoding of clients in the journal.

import Alarms
import CivilTime
import Clients
import Engine
import JSON

extension PairedClient: ObjectCoded {
    package var members: [JSON.Member] {
        [
            .init("id", id), .init("name", name), .init("kind", kind.rawValue), .init("may", may.rawValue),
            .init("token", token.text), .init("day", day),
        ]
    }

    package init?(reading fields: inout Fields) {
        guard let id: String = fields.value("id"), let kind: Kind = fields.choice("kind"),
            let may: Permission = fields.choice("may"), let token: String = fields.value("token"),
            let day: CivilDate = fields.value("day")
        else { return nil }
        self.init(
            id: id, name: fields.value("name") ?? "", kind: kind, may: may, token: SecretHash(token), day: day)
    }
}
