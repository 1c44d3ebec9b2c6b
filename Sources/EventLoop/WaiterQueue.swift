// The jobs that wait for a time.

struct WaiterQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// An array suffices, because waiters are few.
    private var waiters: [(waiter: Waiter, uptime: Double)] = []
    private var isOver = false

    /// The timeout of an idle loop's wait, in milliseconds; less than zero for none.
    func timeoutMilliseconds(at uptime: Double) -> Int32 {
        guard let next = waiters.map(\.uptime).min() else { return -1 }
        return Int32(min(max(0, (next - uptime).rounded(.up)), Double(Int32.max)))
    }

    /// Adds a waiter. Returns false after the end of the loop, when no thread would resume the waiter.
    mutating func add(_ waiter: Waiter, until uptime: Double) -> Bool {
        guard !isOver else { return false }
        waiters.append((waiter, uptime))
        return true
    }

    /// Removes all waiters. None can be added from now on.
    mutating func end() -> [Waiter] {
        isOver = true
        return removeDue(at: .infinity)
    }

    /// Removes the waiters whose deadline is over, in the order of their deadlines.
    mutating func removeDue(at uptime: Double) -> [Waiter] {
        guard waiters.contains(where: { $0.uptime <= uptime }) else { return [] }
        let due = waiters.filter { $0.uptime <= uptime }.sorted { $0.uptime < $1.uptime }
        waiters.removeAll { $0.uptime <= uptime }
        return due.map(\.waiter)
    }
}
