// The thread that waits for the disk in place of the journal's callers.

import CLinux
import Glibc
import Synchronization
import System

/// A request to the thread, with the receipt that the thread settles.
struct WriteOrder: Sendable {
    enum Task: Sendable {
        case append([NewRecord])
        case compact(@Sendable () -> [NewRecord])
        case probe
        case close
    }

    let task: Task
    let receipt = Receipt()

    fileprivate var isCompaction: Bool { if case .compact = task { true } else { false } }

    fileprivate var isClose: Bool { if case .close = task { true } else { false } }
}

/// A thread that owns a journal, and the queue of its orders.
final class WriterThread: Sendable {
    private struct OrderQueue {
        var orders: [WriteOrder] = []
        /// The bytes of the queued appends, record headers included.
        var bytes = 0
        var isClosed = false
    }

    /// Only the thread locks this. The lock proves to the compiler that the journal has one owner.
    private let journal: Mutex<Journal>
    private let queue = Mutex(OrderQueue())
    private let waitingMax: Int
    private let waitingBytesMax: Int
    private let newOrders = Semaphore()
    let status: Mutex<JournalStatus>

    /// Starts the thread. It retains this object until it has carried out a `close`.
    init(_ journal: sending Journal, waitingMax: Int, waitingBytesMax: Int) throws(JournalError) {
        status = Mutex(JournalStatus(of: journal))
        self.journal = Mutex(journal)
        self.waitingMax = waitingMax
        self.waitingBytesMax = waitingBytesMax
        do throws(SystemCallError) {
            try startThread(named: "journal") { [self] in run() }
        } catch {
            throw .noThread(errorNumber: error.errorNumber)
        }
    }

    /// Enqueues an order, or refuses it. Returns its receipt.
    func enqueue(_ task: WriteOrder.Task) -> Receipt {
        let order = WriteOrder(task: task)
        if let refusal = queue.withLock({ add(order, to: &$0) }) {
            order.receipt.settle(.failure(refusal))
        } else {
            newOrders.signal()
        }
        return order.receipt
    }

    /// Adds an order to the queue. Returns the reason if it is refused, or nil.
    private func add(_ order: WriteOrder, to queue: inout OrderQueue) -> JournalError? {
        if queue.isClosed { return .closed }
        let busy = JournalError.busy(waiting: queue.orders.count)
        let isFull = queue.orders.count >= waitingMax
        switch order.task {
        case .append(let new):
            let bytes = new.reduce(queue.bytes) { $0 + StoredRecord.headerBytes + $1.payload.count }
            if isFull || queue.bytes > 0 && bytes > waitingBytesMax { return busy }
            queue.bytes = bytes
        case .compact: if queue.orders.contains(where: \.isCompaction) { return busy }
        case .probe: if isFull { return busy }
        case .close: queue.isClosed = true
        }
        queue.orders.append(order)
        return nil
    }

    private func run() {
        repeat {
            newOrders.wait()
        } while carryOut(takeOrders { _ in true })
    }

    private func takeOrders(where isTaken: (WriteOrder) -> Bool) -> [WriteOrder] {
        queue.withLock { queue in
            defer {
                queue.orders.removeAll(where: isTaken)
                queue.bytes = 0
            }
            return queue.orders.filter(isTaken)
        }
    }

    /// Carries out orders, and returns false after a `close`. If an order is refused, later ones may depend
    /// on it and are refused for the same reason.
    private func carryOut(_ orders: [WriteOrder]) -> Bool {
        var refusal: JournalError?
        var group: [(new: [NewRecord], receipt: Receipt)] = []
        for order in orders {
            switch order.task {
            case .append(let new): group.append((new, order.receipt))
            case .compact(let snapshot):
                refusal = commit(&group, refused: refusal) ?? refusal
                if let refusal {
                    order.receipt.settle(.failure(refusal))
                    continue
                }
                let outcome = result { journal throws(JournalError) in try journal.compact(to: snapshot()) }
                if case .failure(let error) = outcome { refusal = error }
                order.receipt.settle(outcome)
                // Nothing needs the memory of the encoded snapshot before the next compaction.
                linux_give_memory_back()
            case .probe:
                // No order depends on a probe, so its failure refuses none.
                refusal = commit(&group, refused: refusal) ?? refusal
                order.receipt.settle(
                    result { journal throws(JournalError) in
                        try journal.probe()
                        return []
                    })
            case .close:
                _ = commit(&group, refused: refusal)
                journal.withLock { $0.close() }
                order.receipt.settle(.success([]))
                return false
            }
        }
        refusal = commit(&group, refused: refusal) ?? refusal
        if let refusal {
            for order in takeOrders(where: { !$0.isClose }) { order.receipt.settle(.failure(refusal)) }
        }
        return true
    }

    /// Writes a group as one commit, and settles its receipts. Returns the reason if it was refused, or nil.
    private func commit(
        _ group: inout [(new: [NewRecord], receipt: Receipt)], refused: JournalError?
    ) -> JournalError? {
        guard !group.isEmpty else { return nil }
        defer { group = [] }
        let appends = group.map(\.new)
        let outcome =
            refused.map { .failure($0) }
            ?? result { journal throws(JournalError) in try journal.append(together: appends) }
        var offset = 0
        for (new, receipt) in group {
            receipt.settle(outcome.map { Array($0[offset..<offset + new.count]) })
            offset += new.count
        }
        if case .failure(let error) = outcome { return error }
        return nil
    }

    /// Calls `work` with the journal, and publishes its status before the caller settles a receipt. A task
    /// that waited for the receipt therefore reads the new status.
    private func result(
        _ work: @Sendable (Journal) throws(JournalError) -> [Record]
    ) -> Result<[Record], JournalError> {
        let (result, published) = journal.withLock { journal in
            (Result { () throws(JournalError) in try work(journal) }, JournalStatus(of: journal))
        }
        status.withLock { $0 = published }
        return result
    }
}
