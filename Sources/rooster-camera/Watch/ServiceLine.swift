// The program's end of its line to the service.

import Devices
import Glibc

/// Says what is seen, and hears what is wanted. It never waits: what the service does not take in time is old.
struct ServiceLine {
    enum Reception {
        case message(HelperMessage)
        case nothing
        /// The service wants nothing more, or is gone.
        case closed
    }

    let descriptor: Int32

    /// False when nobody is there any more.
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

/// Lets through so much in a second, and a few at once.
struct FrameThrottle {
    private let perMillisecond: Double
    private let most: Double
    private var left: Double
    private var uptime: Double?

    /// In any second at most `perSecond` + `atOnce`.
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
