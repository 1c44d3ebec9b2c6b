// What goes wrong with an event loop.

import Glibc

package struct LoopError: Error, Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case make = "make an event loop"
        case start = "start an event loop's thread"
        /// Starting a thread for something else.
        case startThread = "start a thread"
        /// Making what wakes a thread.
        case makeEvent = "make an event descriptor"
        case watch = "watch a descriptor"
        case time = "make a timer"
        /// Waiting for changes in a directory.
        case watchDirectory = "watch a directory"
    }

    package let operation: Operation
    package let errorNumber: Int32

    package init(_ operation: Operation, errorNumber: Int32) {
        self.operation = operation
        self.errorNumber = errorNumber
    }
}

extension LoopError: CustomStringConvertible {
    /// In words, with the system's own.
    package var description: String { "cannot \(operation.rawValue): \(String(cString: strerror(errorNumber)))" }
}
