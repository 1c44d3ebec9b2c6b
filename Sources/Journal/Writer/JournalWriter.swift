// The journal's asynchronous interface, for callers that must not wait for the disk.

/// A journal with its own thread, which carries orders out in the order of their submission. The thread
/// retains `WriterThread`, not this object: once its owner has released it, the thread closes the journal.
///
/// Records submitted during a sync are written together with the next one, as one commit. If the disk
/// refuses an order, all waiting orders are refused with it, because they may depend on it. An order
/// submitted after that would be accepted. If it depends on the earlier one, its caller must wait for the
/// earlier receipt.
package final class JournalWriter: Sendable {
    private let thread: WriterThread

    /// Takes over a journal, and starts its thread.
    ///
    /// At most `waitingMax` orders may wait, with `waitingBytesMax` bytes of records or one larger append,
    /// and one compaction in addition. Others are refused. Orders that the thread has taken do not count.
    package init(
        _ journal: sending Journal, waitingMax: Int = 256, waitingBytesMax: Int = 4 << 20
    ) throws(JournalError) {
        thread = try WriterThread(journal, waitingMax: waitingMax, waitingBytesMax: waitingBytesMax)
    }

    deinit {
        // The thread still writes all accepted orders.
        _ = thread.enqueue(.close)
    }

    /// Submits records for the next commit, in the order of the calls. The receipt reports the result.
    package func submit(_ new: [NewRecord]) -> Receipt {
        do throws(JournalError) {
            try Journal.check(new)
            return thread.enqueue(.append(new))
        } catch {
            let receipt = Receipt()
            receipt.settle(.failure(error))
            return receipt
        }
    }

    /// Replaces all records submitted before by a snapshot. The writer's thread calls `snapshot`.
    @discardableResult
    package func compact(
        to snapshot: @escaping @Sendable () -> [NewRecord], isolation: isolated (any Actor)? = #isolation
    ) async throws(JournalError) -> [Record] {
        try await thread.enqueue(.compact(snapshot)).durable()
    }

    /// Tests whether the disk accepts as much as a night may need. Throws if it does not.
    package func probe(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) {
        try await thread.enqueue(.probe).durable()
    }

    /// The journal's state after the last commit or probe.
    package var status: JournalStatus { thread.status.withLock { $0 } }

    /// Refuses further orders, and returns when all accepted ones are done. There is no timeout.
    package func close(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) {
        try await thread.enqueue(.close).durable()
    }
}

/// The state of a journal and its disk, from the members of `Journal`.
package struct JournalStatus: Hashable, Sendable {
    package var compactionPays: Bool
    package var lastFailure: DiskError?
    package var freeBytes: Int?
    package var isVolatile: Bool

    init(of journal: Journal) {
        compactionPays = journal.compactionPays
        lastFailure = journal.lastFailure
        freeBytes = journal.freeBytes
        isVolatile = journal.isVolatile
    }
}
