// Durable commits: the journal and SQLite in turn, on the same file system.

import Glibc
import Journal

enum Commits {
    /// Measures thousands of commits, so that SQLite checkpoints its log and our segments grow. The
    /// journal and SQLite alternate in batches of a hundred, so that the bytes of each can be counted.
    static func measure() throws -> [BenchmarkResult] {
        let contest = try Contest()
        var (ours, theirs, bare) = (CommitCosts(), CommitCosts(), CommitCosts())
        for round in 0..<40 {
            let records = (0..<100).map { JournalBenchmark.sample(round * 100 + $0) }
            try ours.measure(records) { try contest.journal.append([$0]) }
            try theirs.measure(records) { try contest.sqlite.append($0) }
            try bare.measure(records) { _ in try contest.bare.writeSector() }
        }
        try contest.check(count: 4000)
        return [
            BenchmarkResult(
                ours.latency("journal/commit"),
                peers: [
                    .init(measurement: theirs.latency("sqlite-wal-full"), bar: 2),
                    .init(measurement: bare.latency("one-sector-and-its-sync")),
                ]),
            BenchmarkResult(
                ours.bytesWritten("journal/bytes-written"), bar: 512,
                peers: [.init(measurement: theirs.bytesWritten("sqlite-wal-full"), bar: 1)]),
        ]
    }
}

/// A journal and a database that get the same records, side by side.
private final class Contest {
    let journal: Journal
    let sqlite: SqliteLog
    let bare: BareDisk
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        journal = try Journal.open(try LinuxDisk(directory: folder.path)).journal
        sqlite = try SqliteLog("\(folder.path)/records.sqlite")
        bare = try BareDisk(in: folder.path)
    }

    /// Checks that both have all records. A log that lost some had less work.
    func check(count: Int) throws {
        guard try sqlite.count() == count else {
            throw BenchmarkRefusal.wrongAnswer("SQLite returns other records than were written")
        }
        journal.close()
        let kept = try Journal.open(try LinuxDisk(directory: folder.path)).records
        guard Set(kept.map(\.payload)).count == count else {
            throw BenchmarkRefusal.wrongAnswer("the journal returns other records than were written")
        }
    }
}

enum JournalBenchmark {
    static let benchmark = Benchmark(
        name: "journal", summary: "durable commits and recovery, in the working directory"
    ) {
        try Commits.measure() + [try RecoveryTime.measure()]
    }

    /// Returns a record such as the service writes a few times a day: a ring with its alarm and time.
    static func sample(_ index: Int) -> NewRecord {
        let payload =
            #"{"alarm":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","occurrence":"2026-01-12T06:00:00Z","late":0,"#
            + #""route":"usb:Speaker","volume":0.8,"count":\#(index)}"#
        return NewRecord(
            RecordKind(rawValue: 5), millisecondsSince1970: 1_767_225_600_000 + Int64(index),
            payload: Array(payload.utf8))
    }
}

/// A preallocated file in which one sector after the other is written and synced. No log that commits one
/// record at a time can be faster.
private final class BareDisk {
    private let file: any DiskFile
    private var offset = 0

    private static let sectorBytes = 512
    private static let sectorCount = 8192
    private static let sector = [UInt8](repeating: 0x55, count: sectorBytes)

    init(in folder: String) throws {
        file = try LinuxDisk(directory: folder).open("bare", for: .creating)
        let zeros = [UInt8](repeating: 0, count: BareDisk.sectorBytes * 256)
        for chunk in 0..<BareDisk.sectorCount / 256 { _ = try file.write(zeros, at: chunk * zeros.count) }
        try file.sync()
    }

    func writeSector() throws {
        _ = try file.write(BareDisk.sector, at: offset)
        try file.sync()
        offset = (offset + BareDisk.sectorBytes) % (BareDisk.sectorCount * BareDisk.sectorBytes)
    }
}

private struct CommitCosts {
    private var microseconds: [Double] = []
    private var written: [Double] = []

    /// Times the commit of each record and counts its bytes with a share of growth and checkpoints.
    mutating func measure(_ records: [NewRecord], _ commit: (NewRecord) throws -> Void) throws {
        let clock = ContinuousClock()
        let before = try ProcessFigures.bytesWritten()
        for record in records {
            let start = clock.now
            try commit(record)
            microseconds.append(start.duration(to: clock.now) / .microseconds(1))
        }
        written.append(Double(try ProcessFigures.bytesWritten() - before) / Double(records.count))
    }

    func latency(_ name: String) -> Measurement {
        Measurement(name: name, unit: "µs", samples: microseconds)
    }

    /// The bytes passed to the kernel.
    func bytesWritten(_ name: String) -> Measurement {
        Measurement(name: name, unit: "bytes", samples: written)
    }
}
