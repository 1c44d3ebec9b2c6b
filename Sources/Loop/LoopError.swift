// What goes wrong with an event loop.

import Glibc

package struct LoopError: Error, Hashable, Sendable {
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

extension LoopError: CustomStringConvertible {
    package var description: String { "cannot \(operation.rawValue): \(String(cString: strerror(errorNumber)))" }
}
