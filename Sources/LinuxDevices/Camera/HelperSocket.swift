// The service's end of the connection to the camera's program.

import CLinux
import Devices
import EventLoop
import Glibc
import System

/// Sends and takes packets, and never waits.
final class HelperSocket {
    enum HelperReception {
        /// A packet; nothing stands for one that was too long.
        case packet([UInt8]?)
        case closed
        case nothing
    }

    private let own: OwnedDescriptor
    private var watch: Watch?

    /// Hears of no more packets in one go: others have their turn.
    static let turnMax = 16

    /// Makes a connection. The caller owns its other end.
    static func make() throws(SystemCallError) -> (socket: HelperSocket, other: Int32) {
        var ends: [Int32] = [-1, -1]
        let own = try OwnedDescriptor(linux_packet_line(&ends) == 0 ? ends[0] : -1, of: .make)
        return (HelperSocket(own), ends[1])
    }

    private init(_ own: OwnedDescriptor) { self.own = own }

    func subscribe(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(SystemCallError) {
        // The descriptor stays open for as long as it is watched.
        watch = try loop.watch(own.number, for: .readable) { [own] _ in withExtendedLifetime(own) { handler() } }
    }

    func ignore() { watch = nil }

    /// Sends it, if the other side takes it now. It takes all that it is told; one that does not is silent as well, and ended.
    func send(_ message: HelperMessage) {
        guard let packet = message.packet else { return }
        _ = Glibc.send(own.number, packet, packet.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    func receive() -> HelperReception {
        withUnsafeTemporaryAllocation(byteCount: HelperMessage.packetBytesMax, alignment: 1) { buffer in
            // The packet's own length, however much of it there is room for.
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_TRUNC)
            let count = recv(own.number, buffer.baseAddress, buffer.count, flags)
            if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .closed }
            guard count > 0 else { return .closed }
            return .packet(count <= buffer.count ? Array(buffer.prefix(count)) : nil)
        }
    }
}
