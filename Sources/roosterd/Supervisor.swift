// Notifies systemd, without ever waiting for it.

import EventLoop
import Glibc
import Synchronization
import System

/// The supervisor that has started roosterd, if there is one.
///
/// It is notified as by sd_notify(3), with one difference: that waits while systemd takes nothing, and a ring would wait with
/// it. Here fields are sent again until systemd has taken them; heartbeats are not, for the next one comes soon enough.
final class Supervisor: Sendable {
    private struct PendingFields {
        /// The fields that systemd has not taken yet, by name.
        var fields: [String: String] = [:]
        /// The retry timer, while there are any.
        var retry: LoopTimer?
    }

    /// Nil without a supervisor.
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

    /// Sends fields, now or by retries. A newer value replaces one that was not sent yet.
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

    func feedWatchdog() { _ = notifySocket?.sends("WATCHDOG=1") }

    // MARK: its ear

    /// The socket's address: a path, or an abstract name; nil where it is neither.
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

        /// False when its queue is full. A socket that is not there will take nothing later either.
        func sends(_ words: String) -> Bool {
            let bytes = Array(words.utf8)
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let sent = address.with { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
            return sent >= 0 || ![EAGAIN, ENOBUFS].contains(errno)
        }
    }
}
