// A journal for callers that must not wait for the disk: it has a thread of its own, and groups what arrives meanwhile.

/// Appends to a journal from its own thread, in the order in which it is asked to.
///
/// What arrives while the disk syncs goes out with the next sync, as one commit. When something is refused because of the
/// disk, so is all that waits by then: it may rely on it. Whoever submits more that does waits for the receipt first.
package final class JournalWriter: Sendable {
    private let thread: WriterThread

    /// Takes over a journal.
    ///
    /// At most `waitingMax` orders wait for the disk, with records of `waitingBytesMax` bytes together (or one append with
    /// more), and one compaction beside them, however long; others are refused. As much again may be on its way to the disk.
    package init(
        _ journal: sending Journal, waitingMax: Int = 256, waitingBytesMax: Int = 4 << 20
    ) throws(JournalError) {
        thread = try WriterThread(journal, waitingMax: waitingMax, waitingBytesMax: waitingBytesMax)
    }

    deinit {
        // Whatever was taken is still written.
        _ = thread.enqueue(.close)
    }

    /// Takes records for the next commit, in the order of such calls, and returns at once; the receipt tells the outcome.
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

    /// Puts a snapshot, made on the writer's thread, in the place of all records that were submitted before.
    @discardableResult
    package func compact(
        to snapshot: @escaping @Sendable () -> [NewRecord], isolation: isolated (any Actor)? = #isolation
    ) async throws(JournalError) -> [Record] {
        try await thread.enqueue(.compact(snapshot)).durable()
    }

    /// Returns when the disk has taken what may have to be written in a night, and given the room back; throws when it does not.
    package func probe(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) {
        try await thread.enqueue(.probe).durable()
    }

    /// The journal's state after the last commit or probe.
    package var status: JournalStatus { thread.status.withLock { $0 } }

    /// Takes nothing more, and returns when all that was taken is dealt with and the journal is closed; no deadline.
    package func close(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) {
        try await thread.enqueue(.close).durable()
    }
}

/// What a journal says of itself and its disk: see the members of `Journal`.
package struct JournalStatus: Hashable, Sendable {
    package var compactionPays: Bool
    package var lastFailure: DiskError?
    package var freeBytes: Int?

    init(of journal: Journal) {
        compactionPays = journal.compactionPays
        lastFailure = journal.lastFailure
        freeBytes = journal.freeBytes
    }
}
