// Records kept durably: ours and SQLite's, in turn, on the same file system.

import Glibc
import JSON
import Journal

enum Commits {
    static func measure() throws -> [BenchmarkResult] {
        try [measureThroughput(), measureFresh(), measureOneByOne(), measureTogether()].flatMap(\.self)
    }

    /// How many commits there are in a second: thousands in a row, from the growth of a file to a checkpoint.
    private static func measureThroughput() throws -> [BenchmarkResult] {
        let count = 3000
        var (ours, theirs) = (CommitCosts(), CommitCosts())
        for _ in 0..<7 {
            let contest = try Contest()
            let records = (0..<count).map { JournalBenchmark.sample($0) }
            try ours.time(each: count) { for record in records { try contest.journal.append([record]) } }
            try theirs.time(each: count) { for record in records { try contest.sqlite.append(record) } }
            try contest.check(count: count)
        }
        return [result("commits-in-a-row", ours, theirs)]
    }

    /// The first few hundred commits after a start, as an appliance makes them for weeks: SQLite's log still grows.
    private static func measureFresh() throws -> [BenchmarkResult] {
        var (ours, theirs) = (CommitCosts(), CommitCosts())
        for _ in 0..<5 {
            let contest = try Contest()
            for index in 0..<300 {
                let record = JournalBenchmark.sample(index)
                try ours.time { try contest.journal.append([record]) }
                try theirs.time { try contest.sqlite.append(record) }
            }
            try contest.check(count: 300)
        }
        return [result("commit-fresh", ours, theirs)]
    }

    /// Thousands of commits: SQLite's log is checkpointed and begun anew, our segments grow. A hundred of ours and a hundred of
    /// SQLite's at a time, so that it can be seen what each writes.
    private static func measureOneByOne() throws -> [BenchmarkResult] {
        let contest = try Contest()
        var (ours, theirs, bare) = (CommitCosts(), CommitCosts(), CommitCosts())
        for round in 0..<40 {
            let records = (0..<100).map { JournalBenchmark.sample(round * 100 + $0) }
            try ours.count(records.count) { costs in
                for record in records { try costs.time { try contest.journal.append([record]) } }
            }
            try theirs.count(records.count) { costs in
                for record in records { try costs.time { try contest.sqlite.append(record) } }
            }
            for _ in records { try bare.time { try contest.bare.writeSector() } }
        }
        try contest.check(count: 4000)
        var commit = result("commit", ours, theirs)
        commit.peers.append(.init(measurement: bare.latency("one-sector-and-its-sync")))
        return [
            commit,
            BenchmarkResult(
                ours: ours.bytesWritten("journal/bytes-written"), bar: 512,
                peers: [.init(measurement: theirs.bytesWritten("sqlite-wal-full"), bar: 1)]),
        ]
    }

    /// What arrives while the disk syncs goes out together; SQLite makes a commit of each.
    private static func measureTogether() throws -> [BenchmarkResult] {
        let contest = try Contest()
        var (ours, theirs) = (CommitCosts(), CommitCosts())
        for round in 0..<50 {
            let records = (0..<16).map { JournalBenchmark.sample(round * 16 + $0) }
            try ours.time(each: records.count) { try contest.journal.append(together: records.map { [$0] }) }
            try theirs.time(each: records.count) { for record in records { try contest.sqlite.append(record) } }
        }
        try contest.check(count: 800)
        return [result("commit-16-at-once", ours, theirs)]
    }

    private static func result(_ name: String, _ ours: CommitCosts, _ theirs: CommitCosts) -> BenchmarkResult {
        BenchmarkResult(
            ours: ours.latency("journal/\(name)"),
            peers: [.init(measurement: theirs.latency("sqlite-wal-full"), bar: 2)])
    }
}

/// A journal and a database that are given the same records, side by side.
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

    /// Whoever lost records had it easier.
    func check(count: Int) throws {
        guard try Set(sqlite.records().map(\.payload)).count == count else {
            throw BenchmarkRefusal.wrongAnswer("SQLite does not hold what it was given")
        }
        journal.close()
        let kept = try Journal.open(try LinuxDisk(directory: folder.path)).records
        guard Set(kept.map(\.payload)).count == count else {
            throw BenchmarkRefusal.wrongAnswer("the journal does not hold what it was given")
        }
    }
}

enum JournalBenchmark {
    static let benchmark = Benchmark(
        name: "journal", summary: "records kept durably, and read again; on the file system of the working directory"
    ) {
        try Commits.measure() + (try RecoveryTime.measure())
    }

    /// A record as the service keeps one a few times a day: a ring, its alarm, its time.
    static func sample(_ index: Int) -> NewRecord {
        let payload =
            #"{"alarm":"6F9619FF-8B86-D011-B42D-00CF4FC964FF","occurrence":"2026-01-12T06:00:00Z","late":0,"#
            + #""route":"usb:Speaker","volume":0.8,"count":\#(index)}"#
        return NewRecord(
            RecordKind(rawValue: 5), millisecondsSince1970: 1_767_225_600_000 + Int64(index),
            payload: Array(payload.utf8))
    }
}

/// A file with room, of which one sector after the other is written and synced: no log can be faster, one commit at a time.
final class BareDisk {
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
