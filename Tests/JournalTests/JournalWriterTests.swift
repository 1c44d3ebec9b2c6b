// The tests of many callers with one journal: records in order and together, none durable too early.

import Glibc
import Mocks
import Oracles
import SimulatedDevices
import Synchronization
import Testing

@testable import Journal

@Suite struct JournalWriterTests {
    /// Returns an empty journal whose syncs wait at a gate. The disk gets these faults once the journal is
    /// open.
    private func gatedJournal(_ gate: SyncGate, faults: [DiskFault] = []) throws -> Journal {
        let simulated = SimulatedDisk()
        let disk = HookedDisk(simulated)
        var faults = faults
        disk.willSync = gate.pass
        // Opening an empty journal ends with the first sync of the directory.
        disk.didSyncNames = {
            simulated.faults += faults
            faults = []
        }
        return try Journal.open(disk).journal
    }

    @Test func records_areInTheOrderTheyWereSubmitted() async throws {
        let scratch = try Scratch()
        let opened = try Journal.open(try LinuxDisk(directory: scratch.path))
        let writer = try JournalWriter(opened.journal, waitingMax: 1000)
        let receipts = (0..<500).map { writer.submit([record("\($0)")]) }
        for (index, receipt) in receipts.enumerated() {
            let records = try await receipt.durable()
            #expect(records.map(\.sequence) == [UInt64(index + 1)])
        }
        try await writer.close()
        let again = try Journal.open(try LinuxDisk(directory: scratch.path))
        #expect(texts(again.records) == (0..<500).map { "\($0)" })
    }

    @Test func records_thatArriveDuringASync_goOutWithTheNext() async throws {
        let gate = SyncGate()
        let journal = try gatedJournal(gate)
        let before = gate.syncCount
        let writer = try JournalWriter(journal)
        gate.hold()
        let first = writer.submit([record("first")])
        gate.waitForSync()
        let others = (0..<20).map { writer.submit([record("\($0)")]) }
        gate.open()
        for receipt in [first] + others { try await receipt.durable() }
        #expect(gate.syncCount - before == 2)
        try await writer.close()
    }

    /// An append, the limits on waiting appends and bytes, and the number of appends that may wait. Empty
    /// records count.
    static let bounds: [(append: [NewRecord], waitingMax: Int, bytesMax: Int, waiting: Int)] = [
        ([record("one")], 3, 10_000, 3),
        ([NewRecord](repeating: record(String(repeating: "x", count: 1000)), count: 2), 100, 1500, 1),
        ([NewRecord](repeating: record(""), count: 60), 100, 4000, 1),
    ]

    /// The append that is being written does not count. One append alone may exceed the limit of bytes.
    @Test(arguments: bounds) func records_areRefused_whenTooManyWait(
        append: [NewRecord], waitingMax: Int, bytesMax: Int, waiting: Int
    ) async throws {
        let gate = SyncGate()
        let writer = try JournalWriter(try gatedJournal(gate), waitingMax: waitingMax, waitingBytesMax: bytesMax)
        gate.hold()
        let first = writer.submit(append)
        gate.waitForSync()
        let taken = (0..<waiting).map { _ in writer.submit(append) }
        await #expect(throws: JournalError.busy(waiting: waiting)) { try await writer.submit(append).durable() }
        gate.open()
        for receipt in [first] + taken { try await receipt.durable() }
        try await writer.submit(append).durable()
        try await writer.close()
    }

    @Test func tooLongAppend_isRefusedAlone() async throws {
        let writer = try JournalWriter(try Journal.Opened.on(SimulatedDisk()).journal)
        let long = NewRecord(
            RecordKind(rawValue: 0), millisecondsSince1970: 0,
            payload: [UInt8](repeating: 0, count: NewRecord.payloadBytesMax + 1))
        let receipts = [writer.submit([record("a")]), writer.submit([long]), writer.submit([record("b")])]
        #expect(texts(try await receipts[0].durable()) == ["a"])
        await #expect(throws: JournalError.tooLong(bytes: long.payload.count)) { try await receipts[1].durable() }
        #expect(texts(try await receipts[2].durable()) == ["b"])
    }

    @Test func compaction_comesAfterEarlierAppends() async throws {
        let scratch = try Scratch()
        let writer = try JournalWriter(try Journal.open(try LinuxDisk(directory: scratch.path)).journal)
        let before = writer.submit([record("a")])
        try await writer.compact { [record("A")] }
        #expect(try await before.durable().map(\.sequence) == [1])
        try await writer.submit([record("b")]).durable()
        try await writer.close()
        #expect(texts(try Journal.open(try LinuxDisk(directory: scratch.path)).records) == ["A", "b"])
    }

    @Test func close_finishesSubmittedWork_andRefusesMore() async throws {
        let writer = try JournalWriter(try Journal.Opened.on(SimulatedDisk()).journal)
        let taken = writer.submit([record("a")])
        try await writer.close()
        #expect(texts(try await taken.durable()) == ["a"])
        await #expect(throws: JournalError.closed) { try await writer.submit([record("b")]).durable() }
        await #expect(throws: JournalError.closed) { try await writer.close() }
    }

    @Test(.timeLimit(.minutes(1))) func journal_isClosed_whenItsWriterIsReleased() async throws {
        let (unlocks, unlocked) = AsyncStream.makeStream(of: Void.self)
        let receipt: Receipt
        do {
            let disk = HookedDisk(SimulatedDisk())
            disk.didUnlock = { unlocked.yield() }
            let writer = try JournalWriter(try Journal.open(disk).journal)
            receipt = writer.submit([record("a")])
        }
        #expect(texts(try await receipt.durable()) == ["a"])
        for await _ in unlocks { break }
    }

    /// A long snapshot does not block an append. A second compaction is refused while one waits.
    @Test func compaction_whileAnotherWaits_isRefused_andAppendsContinue() async throws {
        let gate = SyncGate()
        let thread = try WriterThread(try gatedJournal(gate), waitingMax: 3, waitingBytesMax: 1500)
        let kilobyte = record(String(repeating: "x", count: 1000))
        gate.hold()
        _ = thread.enqueue(.append([record("first")]))
        gate.waitForSync()
        let compaction = thread.enqueue(.compact({ [kilobyte, kilobyte] }))
        let second = thread.enqueue(.compact({ [] }))
        let append = thread.enqueue(.append([kilobyte]))
        await #expect(throws: JournalError.busy(waiting: 1)) { try await second.durable() }
        gate.open()
        #expect(try await compaction.durable().count == 2)
        #expect(try await append.durable().map(\.sequence) == [4])
        try await thread.enqueue(.close).durable()
    }

    @Test func compaction_paysAfterManyAppends_andNotAfterItself() async throws {
        let opened = try Journal.Opened.on(SimulatedDisk())
        let writer = try JournalWriter(opened.journal)
        for _ in 0..<10 where !writer.status.compactionPays { try await writer.submit([record("a")]).durable() }
        #expect(writer.status.compactionPays)
        try await writer.compact { [record("all")] }
        #expect(!writer.status.compactionPays)
        try await writer.close()
    }

    /// All orders submitted before the refusal was known are refused, including compactions. Later orders
    /// are not.
    @Test func orders_submittedBeforeARefusalWasKnown_areRefused() async throws {
        let gate = SyncGate()
        let journal = try gatedJournal(gate, faults: [DiskFault(.worn, after: 1, count: 2)])
        let thread = try WriterThread(journal, waitingMax: 10, waitingBytesMax: 10_000)
        gate.hold()
        var receipts = [thread.enqueue(.append([record("a")]))]
        gate.waitForSync()
        receipts.append(thread.enqueue(.append([record("after a")])))
        receipts.append(thread.enqueue(.compact({ [record("a and after a")] })))
        receipts.append(thread.enqueue(.append([record("after that")])))
        gate.open()
        for receipt in receipts {
            do throws(JournalError) {
                try await receipt.durable()
                Issue.record("it is durable")
            } catch {
                guard case .writeFailed(let reason) = error else { throw error }
                #expect(reason.reason == .system(EIO))
            }
        }
        #expect(thread.status.withLock { $0.lastFailure?.reason } == .system(EIO))
        #expect(try await thread.enqueue(.append([record("later")])).durable().map(\.sequence) == [1])
        try await thread.enqueue(.close).durable()
    }

    @Test func compaction_thatPaidBeforeARestart_paysAfterIt() throws {
        let journal = try Journal.Opened.on(
            SimulatedDisk(
                try image { journal in
                    for index in 0..<40 { try journal.append([record("\(index)")]) }
                })
        ).journal
        #expect(try JournalWriter(journal).status.compactionPays)
    }
}
