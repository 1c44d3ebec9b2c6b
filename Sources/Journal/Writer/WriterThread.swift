// The thread that waits for the disk, so that nobody else has to.

import CLinux
import Glibc
import Synchronization
import System

/// What a writer is asked for, and the receipt that it settles.
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

/// A thread with a journal and the orders that wait for it.
final class WriterThread: Sendable {
    private struct OrderQueue {
        var orders: [WriteOrder] = []
        /// What the appends among them take.
        var bytes = 0
        var isClosed = false
    }

    /// Only the thread locks it, so nobody waits: it lets the compiler see that there is one owner.
    private let journal: Mutex<Journal>
    private let queue = Mutex(OrderQueue())
    private let waitingMax: Int
    private let waitingBytesMax: Int
    private let newOrders = Semaphore()
    let status: Mutex<JournalStatus>

    /// Starts the thread. It keeps this object until it is told to close the journal.
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

    /// Adds an order to the queue. Returns why it is refused; nil if it is not.
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

    /// Whether there is more to come. An order that may have relied on a refused one is refused as well, for its reason.
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
                // What it takes to put all into words, nothing else does until the next.
                linux_give_memory_back()
            case .probe:
                // Nobody relies on it: it refuses nothing else.
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

    /// Answers with why the group was refused, if it was.
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

    /// Does something with the journal. What the journal is like after that is published before a receipt is settled: whoever
    /// waited for it sees that.
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
