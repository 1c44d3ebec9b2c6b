// What many samples of one duration come to.

/// The samples of one thing that was timed again and again.
struct Measurement {
    let name: String
    /// The unit of all its figures, as `ns`.
    let unit: String
    /// What one sample in many costs most, as the growth of a file, is in this, and in no median.
    let mean: Double
    private let sorted: [Double]

    init(name: String, unit: String, samples: [Double]) {
        assert(!samples.isEmpty, "a measurement without samples says nothing")
        self.name = name
        self.unit = unit
        sorted = samples.sorted()
        mean = samples.reduce(0, +) / Double(samples.count)
    }

    var count: Int { sorted.count }
    var median: Double { percentile(50) }
    var longest: Double { percentile(100) }

    /// The smallest sample that at least so many percent of all do not exceed.
    func percentile(_ percent: Int) -> Double {
        let rank = (sorted.count * percent + 99) / 100
        return sorted[max(rank, 1) - 1]
    }
}

/// What the rounds of one thing took, and what each answered.
struct Rounds {
    private(set) var nanoseconds: [Double] = []
    /// Whoever reads these keeps the compiler from leaving out the work that leads to them.
    private(set) var checksums: [Int] = []

    /// Runs everything once in each round, in turn: A B C, A B C, … A round before the first fills the caches.
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
