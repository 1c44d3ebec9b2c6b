// Writes the log from a thread of its own: a log that nobody reads must not keep a ring waiting.

import Configuration
import Glibc
import Loop
import Service
import Synchronization

/// A queue of lines, which are written from a thread of its own, from a level on.
final class LogWriter: Sendable {
    private struct LineQueue {
        var lines: [LogLine] = []
        var lostCount = 0
        var isBeingWritten = false
    }

    private let least: LogLine.Level
    private let pen = LogSink()
    private let queue = Mutex(LineQueue())
    private let newLines = Semaphore()

    /// The bound of the queue. Further lines are dropped: the first lines of a storm tell more than the last.
    private static let linesMax = 1000

    init(least: LogLine.Level) {
        self.least = least
    }

    /// Starts the thread. Without it nothing is ever written.
    func start() throws(LoopError) { try startThread(named: "log") { [self] in writeAll() } }

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
            for line in lines { pen.write(line) }
            if lostCount > 0 { pen.write(LogLine(.warning, "\(lostCount) more lines were not written")) }
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
