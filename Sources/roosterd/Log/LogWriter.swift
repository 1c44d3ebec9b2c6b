// Writes the log from a thread of its own: a log that nobody reads must not keep a ring waiting.

import Configuration
import Glibc
import Service
import Synchronization
import System

/// A queue of lines, which are written from a thread of its own, from a level on.
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

    /// The bound of the queue. Further lines are dropped: the first lines of a storm tell more than the last.
    private static let linesMax = 1000

    init(least: LogLine.Level) {
        self.least = least
    }

    /// Starts the thread. Without it nothing is ever written.
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
            if lostCount > 0 { sink.write(LogLine(.warning, "\(lostCount) more lines were not written")) }
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

/// Writes lines. It blocks while the reader is slow.
struct LogSink: Sendable {
    /// Where standard error leads to the system's journal, which takes fields as well.
    private let journal = LogSink.leadsToJournal(STDERR_FILENO) ? SystemJournal() : nil

    func write(_ line: LogLine) {
        let fields = ["MESSAGE": line.text, "PRIORITY": "\(line.level.rawValue)", "SYSLOG_IDENTIFIER": "roosterd"]
        if let journal, journal.sends(line.fields.merging(fields) { $1 }) { return }
        let isPlain = line.level == .info || line.level == .debug
        complain("roosterd: \(isPlain ? "" : "\(line.level): ")\(line.text)")
    }

    /// As systemd.exec(5) says: the device and the inode of the journal's end are in the environment.
    private static func leadsToJournal(_ descriptor: Int32) -> Bool {
        guard let stream = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }

    // MARK: the system's journal

    /// The native protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): libsystemd would map seven more libraries, a megabyte.
    struct SystemJournal: Sendable {
        private static let address = SocketAddress(path: "/run/systemd/journal/socket")
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)

        /// Sends fields. Returns whether the journal has taken them.
        func sends(_ fields: [String: String]) -> Bool {
            let bytes = fields.flatMap(SystemJournal.bytes)
            let sent = SystemJournal.address?.with {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1)
            }
            return sent == bytes.count
        }

        /// A value that has lines comes with its length.
        static func bytes(of name: String, _ value: String) -> [UInt8] {
            guard value.utf8.contains(UInt8(ascii: "\n")) else { return Array("\(name)=\(value)\n".utf8) }
            let count = withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian, Array.init)
            return Array("\(name)\n".utf8) + count + Array("\(value)\n".utf8)
        }
    }
}
