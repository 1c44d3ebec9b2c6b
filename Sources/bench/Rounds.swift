// Timing several things side by side, so that a machine that slows down slows all of them.

/// What the rounds of one thing took, and what each answered.
struct Rounds {
    private(set) var nanoseconds: [Double] = []
    /// Whoever reads these keeps the compiler from leaving out the work that leads to them.
    private(set) var checksums: [Int] = []

    /// Runs everything once in each round, in turn: A B C, A B C, … The round before the first is not counted: it fills
    /// the caches.
    static func interleaved(_ count: Int, of works: [(_ round: Int) -> Int]) -> [Rounds] {
        let clock = ContinuousClock()
        var all = works.map { _ in Rounds() }
        for round in -1..<count {
            for (index, work) in works.enumerated() {
                let start = clock.now
                let checksum = work(max(round, 0))
                let duration = start.duration(to: clock.now)
                guard round >= 0 else { continue }
                all[index].nanoseconds.append(duration / .nanoseconds(1))
                all[index].checksums.append(checksum)
            }
        }
        return all
    }
}
