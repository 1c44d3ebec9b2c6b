// The errors of a disk, and of a directory's lock.

import Glibc

package struct DiskError: Error, Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case list
        case create
        case open
        case measure
        case read
        case write
        /// Making a file or the names durable.
        case sync
        case rename
        case remove
        case lock
    }

    package enum Reason: Hashable, Sendable {
        case system(Int32)
        /// Only some of the bytes were written. The disk is probably full.
        case short
        /// The file is shorter than its reported length.
        case endedEarly
        /// The name belongs to a directory, a device or a pipe.
        case notAFile
        /// A person or a program has deleted the file while it was in use.
        case deleted
    }

    package let operation: Operation
    package let file: String
    package let reason: Reason

    package init(_ operation: Operation, _ file: String, _ reason: Reason) {
        (self.operation, self.file, self.reason) = (operation, file, reason)
    }
}

extension DiskError {
    /// True if the disk is merely full. Its content is intact.
    var isForWantOfRoom: Bool {
        switch reason {
        case .system(ENOSPC), .system(EDQUOT), .short: true
        default: false
        }
    }
}

extension DiskError {
    /// True if the error suggests that the disk may soon fail. A full or read-only disk does not.
    package var isSignOfWear: Bool { !isForWantOfRoom && reason != .system(EROFS) && reason != .deleted }
}

extension DiskError {
    /// The error for the owner, without the file: it is one of the journal's own.
    package var cause: String {
        isForWantOfRoom ? "the disk is full: free some space on it" : "disk error: \(reason)"
    }
}

extension DiskError: CustomStringConvertible {
    package var description: String {
        isForWantOfRoom ? cause : "cannot \(operation.rawValue) \(file): \(reason)"
    }
}

extension DiskError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .short: "only a part was written"
        case .endedEarly: "the file is shorter than its length"
        case .notAFile: "not a file"
        case .deleted: "the file was deleted"
        }
    }
}

package enum LockError: Error, Hashable, Sendable {
    case held(by: LockHolder?)
    /// The lock could not be tried.
    case failed(DiskError)
}

package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    package let processID: Int32
    /// The name of the process's program, if the system reveals it.
    package let program: String?

    /// For example `roosterd (process 417)`.
    package var description: String {
        program.map { "\($0) (process \(processID))" } ?? "process \(processID)"
    }
}
