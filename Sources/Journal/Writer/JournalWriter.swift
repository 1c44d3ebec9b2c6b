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
        thread = WriterThread(journal, waitingMax: waitingMax, waitingBytesMax: waitingBytesMax)
        try thread.start()
    }

    deinit {
        // Whatever was taken is still written.
        thread.enqueue(.close(Receipt()))
    }

    /// Takes records for the next commit, in the order of such calls, and returns at once; the receipt tells the outcome.
    package func submit(_ new: [NewRecord]) -> Receipt {
        let receipt = Receipt()
        do throws(JournalError) {
            try Journal.check(new)
            thread.enqueue(.append(new, receipt))
        } catch {
            receipt.settle(.failure(error))
        }
        return receipt
    }

    /// Appends records: returns when all of them are durable.
    @discardableResult
    package func append(_ new: [NewRecord]) async throws(JournalError) -> [Record] {
        try await submit(new).durable()
    }

    /// Puts a snapshot, made on the writer's thread, in the place of all records that were submitted before.
    @discardableResult
    package func compact(
        to snapshot: @escaping @Sendable () -> [NewRecord], isolation: isolated (any Actor)? = #isolation
    ) async throws(JournalError) -> [Record] {
        let receipt = Receipt()
        thread.enqueue(.compact(snapshot, receipt))
        return try await receipt.durable()
    }

    /// Returns when the disk has taken what may have to be written in a night, and given the room back; throws when it does not.
    package func probe(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) {
        let receipt = Receipt()
        thread.enqueue(.probe(receipt))
        _ = try await receipt.durable()
    }

    /// Whether there was more to be saved by compaction than it costs, after the last commit.
    package var compactionPays: Bool { thread.compactionPays }

    /// The journal's `lastFailure`, after the last commit.
    package var lastFailure: DiskError? { thread.lastFailure }

    /// How many bytes the disk had left at the last probe; nil where that is not known.
    public var freeBytes: Int? { thread.freeBytes }

    /// Takes nothing more, and returns when all that was taken is dealt with and the journal is closed; no deadline.
    package func close(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) {
        let receipt = Receipt()
        thread.enqueue(.close(receipt))
        _ = try await receipt.durable()
    }
}
