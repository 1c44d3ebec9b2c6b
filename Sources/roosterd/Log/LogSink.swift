// Writes lines of the log: to the system's journal with fields, or to standard error.

import Glibc
import Loop
import Service

/// Writes lines. It blocks while the reader is slow.
struct LogSink: Sendable {
    /// Where standard error leads to the system's journal, which takes fields as well.
    private let journal = LogSink.leadsToJournal(STDERR_FILENO) ? SystemJournal() : nil

    func write(_ line: LogLine) {
        let fields = ["MESSAGE": line.words, "PRIORITY": "\(line.level.rawValue)", "SYSLOG_IDENTIFIER": "roosterd"]
        if let journal, journal.sends(line.fields.merging(fields) { $1 }) { return }
        let isPlain = line.level == .info || line.level == .debug
        complain("roosterd: \(isPlain ? "" : "\(line.level): ")\(line.words)")
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
