// Who waits on a loop for some time to pass.

/// Whoever waits, and until when.
struct Sleepers {
    typealias Sleeper = CheckedContinuation<Void, Never>

    /// They are few.
    private var sleepers: [(sleeper: Sleeper, uptime: Double)] = []
    private var isOver = false

    /// How long a loop may wait that has nothing else to do, in milliseconds; less than zero for as long as it likes.
    func patience(at uptime: Double) -> Int32 {
        guard let next = sleepers.map(\.uptime).min() else { return -1 }
        return Int32(min(max(0, (next - uptime).rounded(.up)), Double(Int32.max)))
    }

    /// False when nobody will wake it any more.
    mutating func add(_ sleeper: Sleeper, until uptime: Double) -> Bool {
        guard !isOver else { return false }
        sleepers.append((sleeper, uptime))
        return true
    }

    /// All there are: nobody waits from now on.
    mutating func end() -> [Sleeper] {
        isOver = true
        return takeDue(at: .infinity)
    }

    /// Those whose time is over, in the order in which it was.
    mutating func takeDue(at uptime: Double) -> [Sleeper] {
        guard sleepers.contains(where: { $0.uptime <= uptime }) else { return [] }
        let due = sleepers.filter { $0.uptime <= uptime }.sorted { $0.uptime < $1.uptime }
        sleepers.removeAll { $0.uptime <= uptime }
        return due.map(\.sleeper)
    }
}
