// How long it takes until the records are there again after a start, and how much memory that needs.

import JSON
import Journal

enum RecoveryTime {
    private static let sizes = [1000, 10_000, 100_000, 1_000_000]

    /// After commits of many records, which is how SQLite packs them, and after commits of one, each in a sector of its own.
    static func measure() throws -> [BenchmarkResult] {
        try sizes.map { try measure($0, commitCount: 500) } + [try measure(100_000, commitCount: 1)]
    }

    private static func measure(_ size: Int, commitCount: Int) throws -> BenchmarkResult {
        let folder = try folder(of: size, commitCount: commitCount)
        let database = try ScratchFolder()
        let sqlite = try SqliteLog("\(database.path)/records.sqlite")
        try sqlite.run("BEGIN")
        for index in 0..<size { try sqlite.append(JournalBenchmark.sample(index)) }
        try sqlite.run("COMMIT")
        var failure: (any Error)?
        func count(_ records: () throws -> Int) -> Int {
            do {
                return try records()
            } catch {
                failure = error
                return -1
            }
        }
        let rounds = Rounds.interleaved(
            max(5, min(100, 2_000_000 / size)),
            of: [
                { _ in count { try recover(folder) } },
                { _ in count { try sqlite.records().count } },
            ])
        if let failure { throw failure }
        guard rounds.allSatisfy({ $0.checksums.allSatisfy { $0 == size } }) else {
            throw BenchmarkRefusal.wrongAnswer("not all of \(size) records were read again")
        }
        let name = "journal/recover-\(size)" + (commitCount == 1 ? "-one-by-one" : "")
        let measurements = zip([name, "sqlite-select"], rounds).map { name, rounds in
            Measurement(name: name, unit: "ms", samples: rounds.nanoseconds.map { $0 / 1_000_000 })
        }
        return BenchmarkResult(
            ours: measurements[0], bar: size == 100_000 ? Bar(median: 250) : nil,
            peers: [.init(measurement: measurements[1])])
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
    private static func folder(of size: Int, commitCount: Int = 500) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let journal = try Journal.open(HastyDisk(try LinuxDisk(directory: folder.path))).journal
        for start in stride(from: 0, to: size, by: commitCount) {
            let appends = (start..<min(start + commitCount, size)).map { [JournalBenchmark.sample($0)] }
            try journal.append(together: appends)
        }
        return folder
    }
}
