// `appender DIRECTORY [COMMITS]`: appends counted records to a journal until it is killed, or so many times, and says on
// standard output what is durable. `appender DIRECTORY grow`: makes a long journal, says so, and lets it grow until it is
// killed.

import Glibc
import Journal

/// A line that whoever reads has as soon as it is said: there is no buffer that a kill could empty.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // Without a reader there is nobody to append for.
    guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(1) }
}

func record(_ words: String) -> NewRecord {
    NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: Array(words.utf8))
}

func append(_ directory: String, commits: Int) throws {
    // Small chunks, so that segments grow and are compacted all the time.
    let opened = try Journal.open(try LinuxDisk(directory: directory), chunkBytes: 2048)
    guard !opened.report.isDamaged else { return say("damaged: \(opened.report.damage)") }
    var count = 0
    if let last = opened.records.last {
        count = Int(String(decoding: last.payload, as: UTF8.self).split(separator: " ")[0]) ?? 0
    }
    for _ in 0..<commits {
        // A commit of up to three appends of up to three records, each as long as its number wants it.
        let appends = (0...count % 3).map { _ in
            (0...count % 2).map { _ in
                count += 1
                return record("\(count) \(String(repeating: "x", count: count * 37 % 300))")
            }
        }
        try opened.journal.append(together: appends)
        say("\(count)")
        if opened.journal.compactionPays {
            try opened.journal.compact(to: [record("\(count) and all before")])
            say("\(count)")
        }
    }
}

func grow(_ directory: String) throws {
    let journal = try Journal.open(try LinuxDisk(directory: directory)).journal
    let text = String(repeating: "x", count: 120)
    for _ in 0..<50 { try journal.append((0..<1000).map { _ in record(text) }) }
    say("long")
    // Whoever looks at it has a minute for that.
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        try journal.append(together: (0..<8).map { _ in [record(text)] })
    }
}

do {
    if CommandLine.arguments.last == "grow" {
        try grow(CommandLine.arguments[1])
        exit(0)
    }
    let commits = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) : nil
    try append(CommandLine.arguments[1], commits: commits ?? .max)
} catch {
    say("failed: \(error)")
}
