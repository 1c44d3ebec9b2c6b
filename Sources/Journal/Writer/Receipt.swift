// The receipt for submitted records.

import Synchronization

/// The future result of submitted records. It has no timeout: a failing disk may never finish.
package final class Receipt: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Result<[Record], JournalError>, Never>])
        case settled(Result<[Record], JournalError>)
    }

    private let state = Mutex(State.waiting([]))

    init() {}

    /// Waits until the records are durable, and returns them numbered. Throws if they are refused.
    @discardableResult
    package func durable(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) -> [Record] {
        try await result().get()
    }

    /// Waits for the result. The caller stays on its own actor.
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
