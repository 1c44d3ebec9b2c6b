// What somebody has in hand whose records are on their way to the disk.

import Synchronization

/// Tells when submitted records are durable, as often as it is asked. It has no deadline: a disk may never answer.
package final class Receipt: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Result<[Record], JournalError>, Never>])
        case settled(Result<[Record], JournalError>)
    }

    private let state = Mutex(State.waiting([]))

    init() {}

    /// Returns the records, numbered, when they are durable; throws when they are not kept.
    @discardableResult
    package func durable(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) -> [Record] {
        try await result().get()
    }

    /// Returns the records, numbered, when they are durable, or why they are not kept. Whoever waits stays where it is at
    /// home: no other thread has a part in it.
    package func result(isolation: isolated (any Actor)? = #isolation) async -> Result<[Record], JournalError> {
        await withCheckedContinuation { continuation in
            let settled = state.withLock { state -> Result<[Record], JournalError>? in
                switch state {
                case .settled(let result): return result
                case .waiting(let others):
                    state = .waiting(others + [continuation])
                    return nil
                }
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }

    func settle(_ result: Result<[Record], JournalError>) {
        let waiting = state.withLock { state in
            guard case .waiting(let waiting) = state else { preconditionFailure("a receipt is settled once") }
            state = .settled(result)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
