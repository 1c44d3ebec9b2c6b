// What goes wrong with an event loop.

import Glibc

/// What the system refused.
public struct LoopError: Error, Hashable, Sendable {
    /// What was asked of it.
    public enum Operation: String, Hashable, Sendable {
        /// Making an event loop.
        case make = "make an event loop"
        /// Starting its thread.
        case start = "start an event loop's thread"
        /// Starting a thread for something else.
        case startThread = "start a thread"
        /// Making what wakes a thread.
        case makeEvent = "make an event descriptor"
        /// Waiting for a descriptor.
        case watch = "watch a descriptor"
        /// Making a timer.
        case time = "make a timer"
        /// Waiting for changes in a directory.
        case watchDirectory = "watch a directory"
    }

    /// What was asked of it.
    public let operation: Operation
    /// The system's error number.
    public let errorNumber: Int32

    /// That `operation` failed.
    public init(_ operation: Operation, errorNumber: Int32) {
        self.operation = operation
        self.errorNumber = errorNumber
    }
}

extension LoopError: CustomStringConvertible {
    /// In words, with the system's own.
    public var description: String { "cannot \(operation.rawValue): \(String(cString: strerror(errorNumber)))" }
}
