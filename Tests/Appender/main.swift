// The appender. `appender DIRECTORY [COMMITS]` appends counted records to a journal until it is killed, or
// for that many commits, and prints each durable number. `appender DIRECTORY grow` writes a long journal,
// prints a line, and appends until it is killed.

import Glibc
import Journal

/// Writes a line without a buffer, because a kill would empty a buffer.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    // Without a reader the appender has no purpose.
    guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(1) }
}

func record(_ text: String) -> NewRecord {
    NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: Array(text.utf8))
}

func append(_ directory: String, commits: Int) throws {
    // With small chunks segments grow and are compacted often.
    let opened = try Journal.open(try LinuxDisk(directory: directory), chunkBytes: 2048)
    guard !opened.report.isDamaged else { return say("damaged: \(opened.report.damage)") }
    var count = 0
    if let last = opened.records.last {
        count = Int(String(decoding: last.payload, as: UTF8.self).split(separator: " ")[0]) ?? 0
    }
    for _ in 0..<commits {
        // A commit of up to three appends of up to three records, with lengths that depend on the number.
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
    // The inspecting test has a minute.
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
