// The errors of opening a journal and of writing to it.

import Glibc

package enum JournalError: Error, Hashable, Sendable {
    case inUse(by: LockHolder?)
    /// The directory cannot be read. It must not be taken for empty.
    case unreadable(DiskError)
    /// Another version of Rooster wrote this file. Nothing was changed.
    case otherFormat(file: String, version: UInt32)
    /// The disk did not accept the records, so they are not saved. Earlier records still are.
    case writeFailed(DiskError)
    /// The payload is longer than `NewRecord.payloadBytesMax`.
    case tooLong(bytes: Int)
    /// One append has more records than `Journal.recordsPerAppendMax`.
    case tooMany(records: Int)
    /// Too many orders wait for the disk. No more orders of that kind are accepted.
    case busy(waiting: Int)
    /// The system cannot start the journal's thread.
    case noThread(errorNumber: Int32)
    case closed
}

extension JournalError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let holder):
            "The journal is in use by \(holder.map { "\($0)" } ?? "another process"): stop that process first"
        case .unreadable(let error): "The journal cannot be read (\(error))"
        case .otherFormat(let file, let version):
            "\(file) has format \(version), but this Rooster reads only format \(SegmentHeader.version): "
                + "install the version of Rooster that wrote it"
        case .writeFailed(let error): error.cause
        case .tooLong(let bytes): "a record of \(bytes) bytes is longer than \(NewRecord.payloadBytesMax) bytes"
        case .tooMany(let records):
            "\(records) records in one append are more than \(Journal.recordsPerAppendMax)"
        case .busy(let waiting): "too many changes wait for the disk (\(waiting))"
        case .noThread(let number): "The journal's thread cannot be started (\(String(cString: strerror(number))))"
        case .closed: "the journal is closed"
        }
    }
}
