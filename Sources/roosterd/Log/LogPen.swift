// How a line of the log is written: to the system's journal with fields, or to standard error.

import CSystemd
import Glibc
import Service

/// Writes lines. Whoever reads them may be slow, and then so is this.
struct LogPen: Sendable {
    /// Whether standard error leads to the system's journal, which takes fields as well.
    private let isJournal = LogPen.leadsToJournal(STDERR_FILENO)

    func write(_ line: LogLine) {
        if isJournal, LogPen.send(line) { return }
        let isPlain = line.level == .info || line.level == .debug
        complain("roosterd: \(isPlain ? "" : "\(line.level): ")\(line.words)")
    }

    /// As systemd.exec(5) says: the device and the inode of the journal's end are in the environment.
    private static func leadsToJournal(_ descriptor: Int32) -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    private static func send(_ line: LogLine) -> Bool {
        let fields = line.fields.merging(
            ["MESSAGE": line.words, "PRIORITY": "\(line.level.rawValue)", "SYSLOG_IDENTIFIER": "roosterd"]
        ) { $1 }
        // One piece of memory for all of them, and where each begins and ends.
        var bytes: [UInt8] = []
        let ranges = fields.map { name, value in
            let start = bytes.count
            bytes += Array("\(name)=\(value)".utf8)
            return start..<bytes.count
        }
        return bytes.withUnsafeMutableBytes { bytes in
            let pieces = ranges.map { range in
                iovec(iov_base: bytes.baseAddress?.advanced(by: range.lowerBound), iov_len: range.count)
            }
            return sd_journal_sendv(pieces, Int32(pieces.count)) == 0
        }
    }
}
