// A descriptor with one owner.

import Glibc

/// Closed when nobody needs it any more: a handler that still runs keeps its descriptor open.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    /// What a call answered: less than zero if it failed.
    package init(_ answer: Int32, of operation: LoopError.Operation) throws(LoopError) {
        guard answer >= 0 else { throw LoopError(operation, errorNumber: errno) }
        number = answer
    }

    deinit {
        close(number)
    }
}
