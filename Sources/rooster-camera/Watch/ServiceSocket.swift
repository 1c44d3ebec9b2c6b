// This program's end of the socket to the service.

import Devices
import Glibc

/// Sends reports and receives orders without blocking: a report that is not read in time is outdated.
struct ServiceSocket {
    enum Reception {
        case message(HelperMessage)
        case nothing
        /// The service has closed the socket, exited, or sent an invalid packet.
        case closed
    }

    let descriptor: Int32

    /// Sends a message. Returns false if the service has closed the socket.
    @discardableResult
    func send(_ message: HelperMessage) -> Bool {
        guard let packet = message.packet else { return true }
        let count = Glibc.send(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        return count >= 0 || errno == EAGAIN || errno == EINTR || errno == ENOBUFS
    }

    func receive() -> Reception {
        var packet = [UInt8](repeating: 0, count: HelperMessage.shortBytesMax)
        let count = recv(descriptor, &packet, packet.count, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .closed }
        guard count > 0 else { return .closed }
        return HelperMessage(packet: Array(packet.prefix(count))).map(Reception.message) ?? .closed
    }
}

/// A rate limit that admits a short burst.
struct FrameThrottle {
    private let perMillisecond: Double
    private let most: Double
    private var left: Double
    private var uptime: Double?

    /// A limit of `perSecond` + `atOnce` in any second.
    init(perSecond: Double, atOnce: Double) {
        (perMillisecond, most, left) = (perSecond / 1000, atOnce, atOnce)
    }

    mutating func admits(at now: Double) -> Bool {
        left = min(most, left + (now - (uptime ?? now)) * perMillisecond)
        uptime = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
