// What a journal keeps: records, in the order they were appended.

/// What a record is about. The journal only carries the number; the engine gives it its meaning.
public struct RecordKind: RawRepresentable, Hashable, Sendable {
    /// The number that stands in the file.
    public let rawValue: UInt16

    /// The kind of that number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

/// A record before the journal has numbered it.
public struct NewRecord: Hashable, Sendable {
    /// What it is about.
    public var kind: RecordKind
    /// When it happened, as the caller's clock says: the journal has none.
    public var millisecondsSince1970: Int64
    /// What it says.
    public var payload: [UInt8]

    /// A record to be appended.
    public init(_ kind: RecordKind, millisecondsSince1970: Int64, payload: [UInt8]) {
        self.kind = kind
        self.millisecondsSince1970 = millisecondsSince1970
        self.payload = payload
    }

    /// No record may be longer: one that is would be a mistake, and recovery must be able to hold one in memory.
    public static let payloadBytesMax = 1 << 20
}

/// A record of the journal.
public struct Record: Hashable, Sendable {
    /// Its number: the first record has 1, each has one more than the record before it.
    public let sequence: UInt64
    /// What it is about.
    public let kind: RecordKind
    /// When it happened, as the caller said.
    public let millisecondsSince1970: Int64
    /// What it says.
    public let payload: [UInt8]

    init(sequence: UInt64, kind: RecordKind, millisecondsSince1970: Int64, payload: [UInt8]) {
        self.sequence = sequence
        self.kind = kind
        self.millisecondsSince1970 = millisecondsSince1970
        self.payload = payload
    }

    init(_ new: NewRecord, sequence: UInt64) {
        self.init(
            sequence: sequence, kind: new.kind, millisecondsSince1970: new.millisecondsSince1970, payload: new.payload)
    }
}
