// Facts as the journal carries them.

import Engine
import Journal

extension Entry {
    /// Decodes a record; nil where this version does not understand it.
    package init?(_ record: Record) {
        guard let fact = Fact(kind: record.kind.rawValue, payload: record.payload) else { return nil }
        self.init(millisecondsSince1970: Int(record.millisecondsSince1970), fact)
    }
}

extension NewRecord {
    /// A record that is written again as it is.
    init(_ record: Record) {
        self.init(record.kind, millisecondsSince1970: record.millisecondsSince1970, payload: record.payload)
    }

    /// A record of an entry.
    package init(_ entry: Entry) {
        let (kind, payload) = entry.fact.encoded
        self.init(
            RecordKind(rawValue: kind.rawValue), millisecondsSince1970: Int64(entry.millisecondsSince1970),
            payload: payload)
    }
}
