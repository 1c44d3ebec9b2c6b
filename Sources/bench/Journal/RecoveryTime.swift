// The time to read a journal again after a start.

import Journal

enum RecoveryTime {
    private static let recordCount = 100_000
    private static let commitRecordCount = 500

    static func measure() throws -> BenchmarkResult {
        let folder = try folder()
        let clock = ContinuousClock()
        // The first round is not counted: it fills the caches.
        let samples = try (-1..<20).map { _ in
            let start = clock.now
            let count = try Journal.open(try LinuxDisk(directory: folder.path)).records.count
            guard count == recordCount else {
                throw BenchmarkRefusal.wrongAnswer("\(count) of \(recordCount) records were read again")
            }
            return start.duration(to: clock.now) / .milliseconds(1)
        }
        return BenchmarkResult("journal/recover-\(recordCount)", Array(samples.dropFirst()), bar: 250)
    }

    /// Writes a journal that was never compacted.
    private static func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let journal = try Journal.open(try LinuxDisk(directory: folder.path)).journal
        for start in stride(from: 0, to: recordCount, by: commitRecordCount) {
            let records = (start..<start + commitRecordCount).map { [JournalBenchmark.sample($0)] }
            try journal.append(together: records)
        }
        journal.close()
        return folder
    }
}
