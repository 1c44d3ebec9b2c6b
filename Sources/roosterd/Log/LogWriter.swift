// Writes the log on its own thread, because a slow reader of the log must not delay a ring.

import Configuration
import Glibc
import Service
import Synchronization
import System

/// A queue of log lines from a level on, and the thread that writes them.
final class LogWriter: Sendable {
    private struct LineQueue {
        var lines: [LogLine] = []
        var lostCount = 0
        var isBeingWritten = false
    }

    private let least: LogLine.Level
    private let sink = LogSink()
    private let queue = Mutex(LineQueue())
    private let newLines = Semaphore()

    /// The bound of the queue. Further lines are dropped, because the first lines of a storm are the most
    /// useful.
    private static let linesMax = 1000

    init(least: LogLine.Level) {
        self.least = least
    }

    /// Starts the thread. Without the thread nothing is written.
    func start() throws(SystemCallError) { try startThread(named: "log") { [self] in writeAll() } }

    func enqueue(_ line: LogLine) {
        guard line.level <= least else { return }
        queue.withLock { queue in
            if queue.lines.count < LogWriter.linesMax { queue.lines.append(line) } else { queue.lostCount += 1 }
        }
        newLines.signal()
    }

    /// Waits up to a second for queued lines.
    func finish() {
        for _ in 0..<100 where queue.withLock({ !$0.lines.isEmpty || $0.isBeingWritten }) { usleep(10_000) }
    }

    private func writeAll() -> Never {
        while true {
            newLines.wait()
            let (lines, lostCount) = queue.withLock { queue in
                defer { queue = LineQueue(isBeingWritten: true) }
                return (queue.lines, queue.lostCount)
            }
            for line in lines { sink.write(line) }
            if lostCount > 0 { sink.write(LogLine(.warning, "\(lostCount) more lines of the log were lost")) }
            queue.withLock { $0.isBeingWritten = false }
        }
    }
}

extension LogLevel {
    var least: LogLine.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        }
    }
}

/// The destination of log lines. Writing blocks while the reader is slow.
struct LogSink: Sendable {
    /// systemd's journal, which accepts fields, if standard error leads there.
    private let journal = LogSink.leadsToJournal(STDERR_FILENO) ? SystemJournal() : nil

    func write(_ line: LogLine) {
        let fields = ["MESSAGE": line.text, "PRIORITY": "\(line.level.rawValue)", "SYSLOG_IDENTIFIER": "roosterd"]
        if let journal, journal.sends(line.fields.merging(fields) { $1 }) { return }
        complain("roosterd: \(line.level == .warning ? "warning: " : "")\(line.text)")
    }

    /// By systemd.exec(5), JOURNAL_STREAM has the device and the inode of the journal's socket.
    private static func leadsToJournal(_ descriptor: Int32) -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    // MARK: systemd's journal

    /// The native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL). libsystemd would map seven libraries, a
    /// megabyte.
    struct SystemJournal: Sendable {
        private static let address = SocketAddress(path: "/run/systemd/journal/socket")
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

        /// Sends fields. Returns whether the journal accepted them.
        func sends(_ fields: [String: String]) -> Bool {
            let bytes = fields.flatMap(SystemJournal.bytes)
            let sent = SystemJournal.address?.with {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
            }
            return sent == bytes.count
        }

        /// Encodes a field. A value with line feeds is preceded by its length.
        static func bytes(of name: String, _ value: String) -> [UInt8] {
            guard value.utf8.contains(UInt8(ascii: "\n")) else { return Array("\(name)=\(value)\n".utf8) }
            let count = withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian, Array.init)
            return Array("\(name)\n".utf8) + count + Array("\(value)\n".utf8)
        }
    }
}
