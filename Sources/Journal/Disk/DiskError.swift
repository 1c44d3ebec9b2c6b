// What a disk says when it cannot.

import Glibc

/// Something that a disk did not do, and why.
public struct DiskError: Error, Hashable, Sendable {
    /// What was asked of it.
    public enum Operation: String, Hashable, Sendable {
        /// Listing the directory.
        case list
        /// Making a file.
        case create
        /// Opening a file.
        case open
        /// Asking for a file's length.
        case measure
        /// Reading.
        case read
        /// Writing.
        case write
        /// Making a file last, or the names of all.
        case sync
        /// Giving another name.
        case rename
        /// Removing.
        case remove
        /// Keeping others out.
        case lock
    }

    /// Why it did not.
    public enum Reason: Hashable, Sendable {
        /// The system's error number.
        case system(Int32)
        /// Only some of the bytes were taken: the disk is full, or worse.
        case short(written: Int, of: Int)
        /// The file ended before its own length.
        case endedEarly
        /// A directory, a device or a pipe has that name.
        case notAFile
    }

    /// What was asked.
    public let operation: Operation
    /// Of which file or directory.
    public let file: String
    /// Why not.
    public let reason: Reason

    /// That `operation` failed on `file`.
    public init(_ operation: Operation, _ file: String, _ reason: Reason) {
        self.operation = operation
        self.file = file
        self.reason = reason
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
    /// One line for the owner.
    public var description: String {
        let words = "cannot \(operation.rawValue) \(file): \(reason)"
        return isForWantOfRoom ? "the disk is full: free some space on it (\(words))" : words
    }
}

extension DiskError.Reason: CustomStringConvertible {
    /// The system's own words where it has some.
    public var description: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .short(let written, let count): "only \(written) of \(count) bytes were written; the disk may be full"
        case .endedEarly: "it ended before its own length"
        case .notAFile: "it is not a file"
        }
    }
}

/// Why a directory could not be locked.
public enum LockError: Error, Hashable, Sendable {
    /// Another journal has it.
    case held(by: LockHolder?)
    /// The system could not say.
    case failed(DiskError)
}

/// Who keeps a directory locked.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// The process.
    public let processID: Int32
    /// Its program, where the system tells.
    public let program: String?

    /// That process.
    public init(processID: Int32, program: String?) {
        self.processID = processID
        self.program = program
    }

    /// As in `roosterd (process 417)`.
    public var description: String {
        program.map { "\($0) (process \(processID))" } ?? "process \(processID)"
    }
}
