// How long it takes until the records are there again after a start.

import JSON
import Journal

enum RecoveryTime {
    private static let recordCount = 100_000

    /// After commits of many records, and after commits of one, each in a sector of its own.
    static func measure() throws -> [BenchmarkResult] {
        [
            try measure("recover-\(recordCount)", commitCount: 500),
            try measure("recover-\(recordCount)-one-by-one", commitCount: 1),
        ]
    }

    private static func measure(_ name: String, commitCount: Int) throws -> BenchmarkResult {
        let folder = try folder(commitCount: commitCount)
        let clock = ContinuousClock()
        // The round before the first is not counted: it fills the caches.
        let samples = try (-1..<20).map { _ in
            let start = clock.now
            let count = try Journal.open(try LinuxDisk(directory: folder.path)).records.count
            guard count == recordCount else {
                throw BenchmarkRefusal.wrongAnswer("\(count) of \(recordCount) records were read again")
            }
            return start.duration(to: clock.now) / .milliseconds(1)
        }
        return BenchmarkResult(
            ours: Measurement(name: "journal/\(name)", unit: "ms", samples: Array(samples.dropFirst())),
            bar: Bar(median: 250))
    }

    /// A journal that was never compacted.
    private static func folder(commitCount: Int) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let journal = try Journal.open(HastyDisk(try LinuxDisk(directory: folder.path))).journal
        for start in stride(from: 0, to: recordCount, by: commitCount) {
            try journal.append(together: (start..<start + commitCount).map { [JournalBenchmark.sample($0)] })
        }
        return folder
    }
}

final class HastyDisk: Disk {
    private let disk: LinuxDisk

    init(_ disk: LinuxDisk) {
        self.disk = disk
    }

    func names() throws(DiskError) -> [String] { try disk.names() }
    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        HastyFile(try disk.open(name, for: access))
    }
    func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    func remove(_ name: String) throws(DiskError) { try disk.remove(name) }
    func syncNames() {}
    func lock() throws(LockError) { try disk.lock() }
    func unlock() { disk.unlock() }
}

private final class HastyFile: DiskFile {
    private let file: any DiskFile

    init(_ file: any DiskFile) {
        self.file = file
    }

    func size() throws(DiskError) -> Int { try file.size() }
    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }
    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int { try file.write(bytes, at: offset) }
    func sync() {}
}
