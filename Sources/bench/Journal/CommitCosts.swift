// What commits cost: time, and bytes.

import JSON

struct CommitCosts {
    private var microseconds: [Double] = []
    private var written: [Double] = []

    /// Times work that keeps so many records; what counts is the time for each.
    mutating func time(each count: Int = 1, _ work: () throws -> Void) throws {
        let clock = ContinuousClock()
        let start = clock.now
        try work()
        let duration = start.duration(to: clock.now)
        microseconds.append(duration / .microseconds(count))
    }

    /// Counts the bytes that so many commits write, each one's share of growth and checkpoints included.
    mutating func count(_ count: Int, _ work: (inout CommitCosts) throws -> Void) throws {
        let before = try ProcessFigures.bytesWritten()
        try work(&self)
        written.append(Double(try ProcessFigures.bytesWritten() - before) / Double(count))
    }

    func latency(_ name: String) -> Measurement {
        Measurement(name: name, unit: "µs", samples: microseconds)
    }

    /// Handed to the kernel.
    func bytesWritten(_ name: String) -> Measurement {
        Measurement(name: name, unit: "bytes", samples: written)
    }
}
