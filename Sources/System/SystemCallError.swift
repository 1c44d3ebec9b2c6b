// Errors of system calls, and descriptors that close themselves.

import Glibc

package struct SystemCallError: Error, Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case make = "make an event loop"
        case start = "start an event loop's thread"
        case startThread = "start a thread"
        case makeEvent = "make an event descriptor"
        case watch = "watch a descriptor"
        case time = "make a timer"
        case watchDirectory = "watch a directory"
    }

    package let operation: Operation
    package let errorNumber: Int32

    package init(_ operation: Operation, errorNumber: Int32) {
        self.operation = operation
        self.errorNumber = errorNumber
    }
}

extension SystemCallError: CustomStringConvertible {
    package var description: String { "cannot \(operation.rawValue): \(String(cString: strerror(errorNumber)))" }
}

/// Closed when nobody needs it any more: a handler that still runs keeps its descriptor open.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    /// What a call answered: less than zero if it failed.
    package init(_ answer: Int32, of operation: SystemCallError.Operation) throws(SystemCallError) {
        guard answer >= 0 else { throw SystemCallError(operation, errorNumber: errno) }
        number = answer
    }

    deinit {
        close(number)
    }
}
