// The control socket of a service that cannot read its alarms. It refuses every request.

import API
import Glibc
import Synchronization
import System

/// A socket whose thread refuses one client after the other, until the socket is closed.
package final class RefusingSocket: Sendable {
    private let listening: ListeningSocket
    private let answer: [UInt8]
    private let isOver = Atomic(false)

    /// The longest wait for a client or its line. After it the thread refuses the client or notices the
    /// close.
    private static let pollMilliseconds: Int32 = 500

    package init(at path: String, group: String?, because reason: String) throws(ListeningError) {
        listening = try ListeningSocket(at: path, group: group)
        answer = Array("\(ErrorResponse(.notReady, reason).json)\n".utf8)
        do throws(SystemCallError) {
            try startThread(named: "refusing") { [self] in serve() }
        } catch {
            throw ListeningError(what: "\(error)", errorNumber: error.errorNumber)
        }
    }

    /// Removes the socket's file, so that another socket can take its place.
    package func close() {
        isOver.store(true, ordering: .relaxed)
        listening.remove()
    }

    private func serve() {
        while !isOver.load(ordering: .relaxed) {
            guard isReadable(listening.descriptor), case .client(let client) = listening.accept() else { continue }
            defer { Glibc.close(client) }
            var lines = LineBuffer()
            var chunk = [UInt8](repeating: 0, count: 4096)
            while lines.next() == nil, !lines.isLonger(than: LineBuffer.shortBytesMax), isReadable(client) {
                let count = recv(client, &chunk, chunk.count, 0)
                guard count > 0 else { break }
                lines.add(chunk.prefix(count))
            }
            send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, RefusingSocket.pollMilliseconds) > 0
    }
}
