// What systemd is told of roosterd, by somebody who cannot wait until it listens.

import Glibc
import Loop
import Synchronization

/// Whoever has started roosterd and looks after it, if anybody does.
///
/// It is told as sd_notify(3) does, with one difference: that waits while systemd takes nothing, and whatever rings would wait
/// with it. What systemd is to know is told again until it has taken it; that roosterd lives is told anew soon enough.
final class Supervisor: Sendable {
    private struct PendingFields {
        /// By their names.
        var fields: [String: String] = [:]
        /// Calls while there are any.
        var retry: LoopTimer?
    }

    /// Nothing where nobody wants to be told.
    private let notifySocket: SupervisorSocket?
    private let pending = Mutex(PendingFields())

    private static let retryMilliseconds = 1000

    /// The one that the environment names.
    init(on loop: EventLoop) throws {
        notifySocket = try getenv("NOTIFY_SOCKET").flatMap { Supervisor.address(String(cString: $0)) }.map(
            SupervisorSocket.init)
        guard notifySocket != nil else { return }
        let timer = try LoopTimer(on: loop) { [weak self] in self?.notify([:]) }
        pending.withLock { $0.retry = timer }
    }

    /// Lets it know, now or as soon as it can be told. What is newer takes the place of what it has not heard.
    func notify(_ fields: [String: String]) {
        guard let notifySocket else { return }
        pending.withLock { pending in
            pending.fields.merge(fields) { $1 }
            guard !pending.fields.isEmpty else { return }
            let lines = pending.fields.map { "\($0)=\($1)" }.sorted().joined(separator: "\n")
            guard notifySocket.sends(lines) else {
                pending.retry?.set(uptimeMilliseconds: EventLoop.uptimeMilliseconds + Supervisor.retryMilliseconds)
                return
            }
            pending.fields = [:]
        }
    }

    /// Feeds its watchdog.
    func feedWatchdog() { _ = notifySocket?.sends("WATCHDOG=1") }

    // MARK: its ear

    /// Where it listens: a path, or a name that is in no directory; nothing where it is neither.
    private static func address(_ text: String) -> SocketAddress? {
        if text.hasPrefix("/") { return SocketAddress(path: text) }
        return text.hasPrefix("@") ? SocketAddress(name: text.dropFirst()) : nil
    }

    private final class SupervisorSocket: Sendable {
        private let descriptor: Int32
        private let address: SocketAddress

        init(_ address: SocketAddress) throws(StartError) {
            let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else {
                throw StartError("systemd cannot be told anything: \(String(cString: strerror(errno)))")
            }
            (self.address, self.descriptor) = (address, descriptor)
        }

        deinit {
            close(descriptor)
        }

        /// False when it takes nothing until it has read what others have said. One that is not there takes nothing later
        /// either.
        func sends(_ words: String) -> Bool {
            let bytes = Array(words.utf8)
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let sent = address.with { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
            return sent >= 0 || ![EAGAIN, ENOBUFS].contains(errno)
        }
    }
}
