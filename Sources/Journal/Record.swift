// The records of a journal.

/// The type of a record. The journal only stores the number; `Records` defines its meaning.
package struct RecordKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// A record that has no sequence number yet.
package struct NewRecord: Hashable, Sendable {
    package var kind: RecordKind
    /// The time of the event by the caller's clock. The journal has none.
    package var millisecondsSince1970: Int64
    package var payload: [UInt8]

    package init(_ kind: RecordKind, millisecondsSince1970: Int64, payload: [UInt8]) {
        (self.kind, self.millisecondsSince1970, self.payload) = (kind, millisecondsSince1970, payload)
    }

    /// The limit of a payload. Recovery must be able to hold a record in memory.
    package static let payloadBytesMax = 1 << 20
}

package struct Record: Hashable, Sendable {
    /// The record's number. The first record has 1, each next one the number after it.
    package let sequence: UInt64
    package let kind: RecordKind
    package let millisecondsSince1970: Int64
    package let payload: [UInt8]
}

extension Record {
    init(_ new: NewRecord, sequence: UInt64) {
        self.init(
            sequence: sequence, kind: new.kind, millisecondsSince1970: new.millisecondsSince1970, payload: new.payload)
    }
}
