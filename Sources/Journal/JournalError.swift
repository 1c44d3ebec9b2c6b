// Why a journal cannot be opened, or did not take what it was given.

import Glibc

package enum JournalError: Error, Hashable, Sendable {
    case inUse(by: LockHolder?)
    /// What the directory holds cannot be known: it is not taken for empty.
    case unreadable(DiskError)
    /// Another version of Rooster wrote this; nothing was changed.
    case otherFormat(file: String, version: UInt32)
    /// The records are not kept: the disk did not take them. What was kept before still is.
    case writeFailed(DiskError)
    /// The payload is longer than `NewRecord.payloadBytesMax`.
    case tooLong(bytes: Int)
    /// One append has more records than `Journal.recordsPerAppendMax`.
    case tooMany(records: Int)
    /// So many orders are waiting for the disk that no more of that kind are taken.
    case busy(waiting: Int)
    /// The system has no thread to write the journal with.
    case noThread(errorNumber: Int32)
    case closed
}

extension JournalError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let holder):
            "the journal is in use by \(holder.map { "\($0)" } ?? "another process"): only one may have it open"
        case .unreadable(let error): "the journal cannot be read: \(error)"
        case .otherFormat(let file, let version):
            "\(file) has format \(version), and this Rooster reads format \(SegmentHeader.version) alone: "
                + "install the Rooster that wrote it"
        case .writeFailed(let error): "\(error)"
        case .tooLong(let bytes): "a record of \(bytes) bytes is longer than \(NewRecord.payloadBytesMax) bytes"
        case .tooMany(let records):
            "\(records) records in one append are more than \(Journal.recordsPerAppendMax)"
        case .busy(let waiting): "too much waits for the disk already (orders: \(waiting))"
        case .noThread(let number): "there is no thread to write the journal with: \(String(cString: strerror(number)))"
        case .closed: "the journal is closed"
        }
    }
}
