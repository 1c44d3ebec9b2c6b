// What the kernel counts about a process.

import Glibc
import System

enum ProcessFigures {
    /// Bytes handed to the kernel by `write` and its kin.
    static func bytesWritten() throws -> Int {
        try figure("wchar:", of: "/proc/self/io")
    }

    /// How often a process was woken since its start, with all threads that it has.
    static func wakeUps(of process: pid_t) throws -> Int {
        try Folder.names(in: "/proc/\(process)/task").filter { !$0.hasPrefix(".") }.reduce(0) { sum, thread in
            sum + (try figure("voluntary_ctxt_switches:", of: "/proc/\(process)/task/\(thread)/status"))
        }
    }

    /// The memory that a process has, whoever else has it as well.
    static func residentMegabytes(of process: pid_t) throws -> Double {
        Double(try figure("Rss:", of: "/proc/\(process)/smaps_rollup") << 10) / 1_000_000
    }
}

private func figure(_ name: String, of path: String) throws -> Int {
    let words = text(ofFileAt: path).split { $0 == " " || $0 == "\n" || $0 == "\t" }
    guard let index = words.firstIndex(where: { $0 == name }), index + 1 < words.count,
        let figure = Int(words[index + 1])
    else { throw BenchmarkRefusal.wrongAnswer("\(path) does not say \(name)") }
    return figure
}

/// The beginning of a file; nothing where there is none.
func text(ofFileAt path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}
