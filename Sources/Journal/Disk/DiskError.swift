// What a disk says when it cannot.

import Glibc

package struct DiskError: Error, Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case list
        case create
        case open
        case measure
        case read
        case write
        /// Making a file last, or the names of all.
        case sync
        case rename
        case remove
        case lock
    }

    package enum Reason: Hashable, Sendable {
        case system(Int32)
        /// Only some of the bytes were taken: the disk is full, or worse.
        case short
        /// The file ended before its own length.
        case endedEarly
        /// A directory, a device or a pipe has that name.
        case notAFile
    }

    package let operation: Operation
    package let file: String
    package let reason: Reason

    package init(_ operation: Operation, _ file: String, _ reason: Reason) {
        (self.operation, self.file, self.reason) = (operation, file, reason)
    }
}

extension DiskError {
    /// Whether the disk has just no room left: what it holds is as sound as before.
    var isForWantOfRoom: Bool {
        switch reason {
        case .system(ENOSPC), .system(EDQUOT), .short: true
        default: false
        }
    }
}

extension DiskError {
    /// Whether a disk that says so may soon say nothing at all: one that is full, or may not be written to, is as good as any.
    package var isSignOfWear: Bool { !isForWantOfRoom && reason != .system(EROFS) }
}

extension DiskError: CustomStringConvertible {
    package var description: String {
        isForWantOfRoom
            ? "the disk is full: free some space on it" : "cannot \(operation.rawValue) \(file): \(reason)"
    }
}

extension DiskError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .short: "not all of it was written; the disk may be full"
        case .endedEarly: "it ended before its own length"
        case .notAFile: "it is not a file"
        }
    }
}

package enum LockError: Error, Hashable, Sendable {
    case held(by: LockHolder?)
    /// The system could not say.
    case failed(DiskError)
}

package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    package let processID: Int32
    /// Its program, where the system tells.
    package let program: String?

    package init(processID: Int32, program: String?) {
        self.processID = processID
        self.program = program
    }

    /// As in `roosterd (process 417)`.
    package var description: String {
        program.map { "\($0) (process \(processID))" } ?? "process \(processID)"
    }
}
