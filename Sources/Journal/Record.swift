// What a journal keeps: records, in the order they were appended.

/// What a record is about. The journal only carries the number; the engine gives it its meaning.
package struct RecordKind: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// A record before the journal has numbered it.
package struct NewRecord: Hashable, Sendable {
    package var kind: RecordKind
    /// When it happened, as the caller's clock says: the journal has none.
    package var millisecondsSince1970: Int64
    package var payload: [UInt8]

    package init(_ kind: RecordKind, millisecondsSince1970: Int64, payload: [UInt8]) {
        (self.kind, self.millisecondsSince1970, self.payload) = (kind, millisecondsSince1970, payload)
    }

    /// No record may be longer: one that is would be a mistake, and recovery must be able to hold one in memory.
    package static let payloadBytesMax = 1 << 20
}

package struct Record: Hashable, Sendable {
    /// Its number: the first record has 1, each has one more than the record before it.
    package let sequence: UInt64
    package let kind: RecordKind
    package let millisecondsSince1970: Int64
    package let payload: [UInt8]

    init(sequence: UInt64, kind: RecordKind, millisecondsSince1970: Int64, payload: [UInt8]) {
        (self.sequence, self.kind) = (sequence, kind)
        (self.millisecondsSince1970, self.payload) = (millisecondsSince1970, payload)
    }

    init(_ new: NewRecord, sequence: UInt64) {
        self.init(
            sequence: sequence, kind: new.kind, millisecondsSince1970: new.millisecondsSince1970, payload: new.payload)
    }
}
