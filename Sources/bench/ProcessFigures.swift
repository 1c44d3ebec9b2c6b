// The kernel's counters of a process.

import Glibc
import System

enum ProcessFigures {
    /// Returns the bytes that this process has passed to `write` and similar calls.
    static func bytesWritten() throws -> Int {
        try figure("wchar:", of: "/proc/self/io")
    }

    /// Returns the number of wake-ups of all present threads since their start.
    static func wakeUps(of process: pid_t) throws -> Int {
        try Folder.names(in: "/proc/\(process)/task").filter { !$0.hasPrefix(".") }.reduce(0) { sum, thread in
            sum + (try figure("voluntary_ctxt_switches:", of: "/proc/\(process)/task/\(thread)/status"))
        }
    }

    /// Returns the resident memory, including pages shared with other processes.
    static func residentMegabytes(of process: pid_t) throws -> Double {
        Double(try figure("Rss:", of: "/proc/\(process)/smaps_rollup") << 10) / 1_000_000
    }

    /// Returns the memory that belongs to the process alone: that of no file, which the kernel cannot read again.
    static func ownMegabytes(of process: pid_t) throws -> Double {
        Double(try figure("Anonymous:", of: "/proc/\(process)/smaps_rollup") << 10) / 1_000_000
    }
}

private func figure(_ name: String, of path: String) throws -> Int {
    let words = text(ofFileAt: path).split { $0 == " " || $0 == "\n" || $0 == "\t" }
    guard let index = words.firstIndex(where: { $0 == name }), index + 1 < words.count,
        let figure = Int(words[index + 1])
    else { throw BenchmarkRefusal.wrongAnswer("\(path) has no \(name)") }
    return figure
}

/// Returns the first 16 KiB of a file, or an empty text if there is no such file.
func text(ofFileAt path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}
