// The thread that waits for the disk, so that nobody else has to.

import CLinux
import Glibc
import Synchronization
import System

/// What a writer is asked for, with the receipt that it settles.
enum WriteOrder: Sendable {
    case append([NewRecord], Receipt)
    case compact(@Sendable () -> [NewRecord], Receipt)
    case probe(Receipt)
    case close(Receipt)

    var receipt: Receipt {
        switch self {
        case .append(_, let receipt), .compact(_, let receipt), .probe(let receipt), .close(let receipt): receipt
        }
    }

    /// What it takes of the room for appends.
    var bytes: Int {
        switch self {
        case .append(let new, _): new.reduce(0) { $0 + StoredRecord.headerBytes + $1.payload.count }
        case .compact, .probe, .close: 0
        }
    }
}

/// A thread with a journal and the orders that wait for it.
final class WriterThread: Sendable {
    private struct OrderQueue {
        var orders: [WriteOrder] = []
        var bytes = 0
        var hasCompaction = false
        var isClosed = false
    }

    /// Only the thread locks it, so nobody waits: it lets the compiler see that there is one owner.
    private let journal: Mutex<Journal>
    private let queue = Mutex(OrderQueue())
    private let waitingMax: Int
    private let waitingBytesMax: Int
    private let newOrders = Semaphore()
    let status: Mutex<JournalStatus>

    init(_ journal: sending Journal, waitingMax: Int, waitingBytesMax: Int) {
        status = Mutex(JournalStatus(of: journal))
        self.journal = Mutex(journal)
        self.waitingMax = waitingMax
        self.waitingBytesMax = waitingBytesMax
    }

    func start() throws(JournalError) {
        do throws(SystemCallError) {
            // The thread keeps this object for as long as it runs.
            try startThread(named: "journal") { [self] in run() }
        } catch {
            throw .noThread(errorNumber: error.errorNumber)
        }
    }

    /// Enqueues an order, or refuses it. Returns its receipt.
    func enqueue(_ order: (Receipt) -> WriteOrder) -> Receipt {
        let receipt = Receipt()
        let order = order(receipt)
        let bytes = order.bytes
        let refusal = queue.withLock { queue -> JournalError? in
            if queue.isClosed { return .closed }
            let isRefused =
                switch order {
                case .append:
                    queue.orders.count >= waitingMax || queue.bytes > 0 && queue.bytes + bytes > waitingBytesMax
                case .compact: queue.hasCompaction
                case .probe: queue.orders.count >= waitingMax
                case .close: false
                }
            if isRefused { return .busy(waiting: queue.orders.count) }
            queue.orders.append(order)
            queue.bytes += bytes
            switch order {
            case .append, .probe: break
            case .compact: queue.hasCompaction = true
            case .close: queue.isClosed = true
            }
            return nil
        }
        if let refusal {
            receipt.settle(.failure(refusal))
        } else {
            newOrders.signal()
        }
        return receipt
    }

    private func run() {
        while true {
            newOrders.wait()
            let orders = queue.withLock { queue in
                defer { (queue.orders, queue.bytes, queue.hasCompaction) = ([], 0, false) }
                return queue.orders
            }
            guard carryOut(orders) else { return }
        }
    }

    /// Whether there is more to come. An order that may have relied on a refused one is refused as well, for its reason.
    private func carryOut(_ orders: [WriteOrder]) -> Bool {
        var refusal: JournalError?
        var group: [(new: [NewRecord], receipt: Receipt)] = []
        for order in orders {
            switch order {
            case .append(let new, let receipt): group.append((new, receipt))
            case .compact(let snapshot, let receipt):
                refusal = commit(&group) ?? refusal
                if let refusal {
                    receipt.settle(.failure(refusal))
                    continue
                }
                let outcome = journal.withLock { journal in
                    result { () throws(JournalError) in try journal.compact(to: snapshot()) }
                }
                publishStatus()
                if case .failure(let error) = outcome { refusal = error }
                receipt.settle(outcome)
                // What it takes to put all into words, nothing else does until the next.
                linux_give_memory_back()
            case .probe(let receipt):
                // Nobody relies on it: it refuses nothing else.
                refusal = commit(&group, refused: refusal) ?? refusal
                let outcome = journal.withLock { journal in
                    result { () throws(JournalError) in
                        try journal.probe()
                        return []
                    }
                }
                publishStatus()
                receipt.settle(outcome)
            case .close(let receipt):
                _ = commit(&group, refused: refusal)
                journal.withLock { $0.close() }
                receipt.settle(.success([]))
                return false
            }
        }
        refusal = commit(&group, refused: refusal) ?? refusal
        if let refusal { refuseWaiting(refusal) }
        return true
    }

    /// All that waits for its turn, but for the end.
    private func refuseWaiting(_ refusal: JournalError) {
        let refused = queue.withLock { queue in
            let orders = queue.orders
            queue.orders = orders.filter { if case .close = $0 { true } else { false } }
            (queue.bytes, queue.hasCompaction) = (0, false)
            return orders
        }
        for order in refused {
            if case .close = order { continue }
            order.receipt.settle(.failure(refusal))
        }
    }

    /// Before a receipt is settled, so that whoever waited for it sees what the journal is like after that.
    private func publishStatus() {
        let published = journal.withLock { JournalStatus(of: $0) }
        status.withLock { $0 = published }
    }

    /// Answers with why the group was refused, if it was.
    private func commit(
        _ group: inout [(new: [NewRecord], receipt: Receipt)], refused: JournalError? = nil
    ) -> JournalError? {
        guard !group.isEmpty else { return nil }
        defer { group = [] }
        if let refused {
            for (_, receipt) in group { receipt.settle(.failure(refused)) }
            return refused
        }
        let appends = group.map(\.new)
        let outcome = journal.withLock { journal in
            result { () throws(JournalError) in try journal.append(together: appends) }
        }
        publishStatus()
        var offset = 0
        for (new, receipt) in group {
            receipt.settle(outcome.map { Array($0[offset..<offset + new.count]) })
            offset += new.count
        }
        if case .failure(let error) = outcome { return error }
        return nil
    }

    private func result(_ work: () throws(JournalError) -> [Record]) -> Result<[Record], JournalError> {
        do throws(JournalError) { return .success(try work()) } catch { return .failure(error) }
    }
}
