// Errors of system calls, and descriptors with an owner.

import Glibc

package struct SystemCallError: Error, Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable {
        case make = "create an event loop"
        case start = "start an event loop's thread"
        case startThread = "start a thread"
        case makeEvent = "create an event descriptor"
        case watch = "watch a descriptor"
        case time = "create a timer"
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

/// A descriptor that closes with its last reference. A handler that is still running holds a reference.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    /// Owns the descriptor that a system call returned. Throws if the result is negative.
    package init(_ answer: Int32, of operation: SystemCallError.Operation) throws(SystemCallError) {
        guard answer >= 0 else { throw SystemCallError(operation, errorNumber: errno) }
        number = answer
    }

    deinit {
        close(number)
    }
}
