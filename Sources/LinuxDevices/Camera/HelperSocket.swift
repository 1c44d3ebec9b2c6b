// The service's end of the socket to the camera's helper.

import CLinux
import Devices
import EventLoop
import Glibc
import System

/// A socket that sends and receives packets and never blocks.
final class HelperSocket {
    enum HelperReception {
        /// A packet; nil if it was too long.
        case packet([UInt8]?)
        case closed
        case nothing
    }

    private let own: OwnedDescriptor
    private var watch: Watch?

    /// The limit of packets per turn of the loop, so that other handlers get their turn.
    static let turnMax = 16

    /// Returns a connected pair of sockets. The caller owns the other end.
    static func make() throws(SystemCallError) -> (socket: HelperSocket, other: Int32) {
        var ends: [Int32] = [-1, -1]
        let own = try OwnedDescriptor(linux_packet_line(&ends) == 0 ? ends[0] : -1, of: .make)
        return (HelperSocket(own), ends[1])
    }

    private init(_ own: OwnedDescriptor) { self.own = own }

    func subscribe(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(SystemCallError) {
        // The handler keeps the descriptor open while it is watched.
        watch = try loop.watch(own.number, for: .readable) { [own] _ in withExtendedLifetime(own) { handler() } }
    }

    func ignore() { watch = nil }

    /// Sends a message, or drops it if the socket's buffer is full. A helper that does not read its orders
    /// is stuck, and the supervisor kills it for its silence.
    func send(_ message: HelperMessage) {
        guard let packet = message.packet else { return }
        _ = Glibc.send(own.number, packet, packet.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    func receive() -> HelperReception {
        withUnsafeTemporaryAllocation(byteCount: HelperMessage.packetBytesMax, alignment: 1) { buffer in
            // MSG_TRUNC makes `recv` return the packet's full length even if the buffer is too small.
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)
            let count = recv(own.number, buffer.baseAddress, buffer.count, flags)
            if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .closed }
            guard count > 0 else { return .closed }
            return .packet(count <= buffer.count ? Array(buffer.prefix(count)) : nil)
        }
    }
}
