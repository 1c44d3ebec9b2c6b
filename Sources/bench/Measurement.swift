// What many samples of one duration come to.

import JSON

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
