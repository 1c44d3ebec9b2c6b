// Who waits on a loop for some time to pass.

/// Whoever waits, and until when.
struct WaiterQueue {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// They are few.
    private var waiters: [(waiter: Waiter, uptime: Double)] = []
    private var isOver = false

    /// How long a loop may wait that has nothing else to do, in milliseconds; less than zero for as long as it likes.
    func timeoutMilliseconds(at uptime: Double) -> Int32 {
        guard let next = waiters.map(\.uptime).min() else { return -1 }
        return Int32(min(max(0, (next - uptime).rounded(.up)), Double(Int32.max)))
    }

    /// False when nobody will wake it any more.
    mutating func add(_ waiter: Waiter, until uptime: Double) -> Bool {
        guard !isOver else { return false }
        waiters.append((waiter, uptime))
        return true
    }

    /// All there are: nobody waits from now on.
    mutating func end() -> [Waiter] {
        isOver = true
        return removeDue(at: .infinity)
    }

    /// Those whose time is over, in the order in which it was.
    mutating func removeDue(at uptime: Double) -> [Waiter] {
        guard waiters.contains(where: { $0.uptime <= uptime }) else { return [] }
        let due = waiters.filter { $0.uptime <= uptime }.sorted { $0.uptime < $1.uptime }
        waiters.removeAll { $0.uptime <= uptime }
        return due.map(\.waiter)
    }
}
