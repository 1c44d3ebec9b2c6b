// Notifies systemd without ever blocking.

import EventLoop
import Glibc
import Synchronization
import System

/// The connection to the supervisor that started roosterd, if there is one.
///
/// Uses the protocol of sd_notify(3). `sd_notify` itself would block while systemd's queue is full, and
/// delay a ring. Instead, fields are sent again until systemd accepts them. Heartbeats are not sent again,
/// since the next one comes soon enough.
final class Supervisor: Sendable {
    private struct PendingFields {
        /// The fields that systemd has not accepted yet, by name.
        var fields: [String: String] = [:]
        /// The retry timer. Nil without a supervisor.
        var retry: LoopTimer?
    }

    /// Nil without a supervisor.
    private let notifySocket: SupervisorSocket?
    private let pending = Mutex(PendingFields())

    private static let retryMilliseconds = 1000

    /// Connects to the supervisor that the environment names.
    init(on loop: EventLoop) throws {
        notifySocket = try getenv("NOTIFY_SOCKET").flatMap { Supervisor.address(String(cString: $0)) }.map(
            SupervisorSocket.init)
        guard notifySocket != nil else { return }
        let timer = try LoopTimer(on: loop) { [weak self] in self?.notify([:]) }
        pending.withLock { $0.retry = timer }
    }

    /// Sends fields, with retries if needed. A newer value replaces an unsent one.
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

    // MARK: Socket

    /// Returns the address for a path or an abstract name, or nil if the text is neither.
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
                throw StartError("roosterd cannot notify systemd: \(String(cString: strerror(errno)))")
            }
            (self.address, self.descriptor) = (address, descriptor)
        }

        deinit {
            close(descriptor)
        }

        /// Returns false if systemd's queue is full. After any other error a retry would fail again.
        func sends(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
            let sent = address.with { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
            return sent >= 0 || ![EAGAIN, ENOBUFS].contains(errno)
        }
    }
}
