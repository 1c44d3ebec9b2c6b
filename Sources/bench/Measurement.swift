// The statistics of one duration, measured many times.

/// The sorted samples of one figure.
struct Measurement {
    let name: String
    /// The unit of all figures, such as `ns`.
    let unit: String
    /// The mean. It includes rare costs, such as the growth of a file, that no median shows.
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

    /// Returns the smallest sample that is at least as large as `percent` percent of all.
    func percentile(_ percent: Int) -> Double {
        let rank = (sorted.count * percent + 99) / 100
        return sorted[max(rank, 1) - 1]
    }
}

/// The duration and the checksum of each round of one piece of work.
struct Rounds {
    private(set) var nanoseconds: [Double] = []
    /// The results of the work. The caller reads them, or the compiler could remove the work.
    private(set) var checksums: [Int] = []

    /// Runs every work once in each round, in turn: A B C, A B C. A first round fills the caches.
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
