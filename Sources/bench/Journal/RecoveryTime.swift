// How long it takes until the records are there again after a start, and how much memory that needs.

import Journal

enum RecoveryTime {
    private static let sizes = [1000, 10_000, 100_000, 1_000_000]

    static func measure() throws -> [BenchmarkResult] {
        var results: [BenchmarkResult] = []
        for size in sizes {
            let folder = try folder(of: size)
            let database = try ScratchFolder()
            let sqlite = try SqliteLog("\(database.path)/records.sqlite")
            try sqlite.run("BEGIN")
            for index in 0..<size { try sqlite.append(JournalBenchmark.sample(index)) }
            try sqlite.run("COMMIT")
            let rounds = Rounds.interleaved(
                max(5, min(100, 2_000_000 / size)),
                of: [
                    { _ in (try? recover(folder)) ?? -1 },
                    { _ in (try? sqlite.records().count) ?? -1 },
                ])
            guard rounds.allSatisfy({ $0.checksums.allSatisfy { $0 == size } }) else {
                throw Refusal.wrongAnswer("not all of \(size) records were read again")
            }
            let measurements = zip(["journal/recover-\(size)", "sqlite-select"], rounds).map { name, rounds in
                Measurement(name: name, unit: "ms", samples: rounds.nanoseconds.map { $0 / 1_000_000 })
            }
            results.append(
                BenchmarkResult(
                    ours: measurements[0], bar: size == 100_000 ? 250 : nil,
                    peers: [.init(measurement: measurements[1])]))
        }
        return results
    }

    /// The most memory that was in use while the records were read, beyond what the program began with. What the journal's
    /// making has left behind counts as well, so it is an upper bound.
    static func measureMemory() throws -> [BenchmarkResult] {
        let before = try ProcessFigures.residentBytes().now
        return try [100_000, 1_000_000].map { size in
            let folder = try folder(of: size)
            let samples = try (0..<3).map { _ in
                try ProcessFigures.forgetPeak()
                _ = try recover(folder)
                return Double(try ProcessFigures.residentBytes().peak - before) / 1_048_576
            }
            return BenchmarkResult(
                ours: Measurement(name: "journal/recovery-memory-\(size)", unit: "MiB", samples: samples))
        }
    }

    private static func recover(_ folder: ScratchFolder) throws -> Int {
        let opened = try Journal.open(try LinuxDisk(directory: folder.path))
        return opened.records.count
    }

    /// A journal that was never compacted.
    private static func folder(of size: Int) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let journal = try Journal.open(try LinuxDisk(directory: folder.path)).journal
        for start in stride(from: 0, to: size, by: 500) {
            let appends = (start..<min(start + 500, size)).map { [JournalBenchmark.sample($0)] }
            try journal.append(together: appends)
        }
        return folder
    }
}
