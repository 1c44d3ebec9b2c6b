// Simulated lamps, whose light is logged.

import Devices
import Service
import Sound
import Synchronization

/// The configured lamps of a simulated bedside.
final class LoggedLamps: Lamps {
    private let roles: Set<LampRole>
    private let log: Log
    private let stream = ReportStream<LampReport>()
    private let orders = Mutex<[LampRole: Order]>([:])

    /// The last orders for a lamp.
    struct Order: Hashable, Sendable {
        var light = LampLight.off
        var flash: PulsePattern?
        var flashCount = 0
    }

    init(_ roles: Set<LampRole>, log: @escaping Log) {
        (self.roles, self.log) = (roles, log)
        for role in roles { stream.emit(.ready(role)) }
    }

    var reports: AsyncStream<LampReport> { stream.reports }

    /// The orders of each lamp.
    var present: [(lamp: LampRole, order: Order)] {
        orders.withLock { orders in LampRole.allCases.filter(roles.contains).map { ($0, orders[$0] ?? Order()) } }
    }

    func show(_ light: LampLight, on lamp: LampRole) {
        orders.withLock { $0[lamp, default: Order()].light = light }
        switch light {
        case .off: say(lamp, "is off")
        case .on: say(lamp, "is on")
        case .blinking(let pulses): say(lamp, "blinks (\(LoggedLamps.text(pulses)))")
        }
    }

    func flash(_ pulses: PulsePattern, on lamp: LampRole) {
        orders.withLock { orders in
            orders[lamp, default: Order()].flash = pulses
            orders[lamp, default: Order()].flashCount += 1
        }
        let count = (pulses.milliseconds.count + 1) / 2
        say(lamp, count == 1 ? "flashes once" : "flashes \(count) times")
    }

    func end() { stream.finish() }

    private func say(_ lamp: LampRole, _ text: String) {
        if roles.contains(lamp) { log(LogLine(.info, "The \(lamp.rawValue) lamp \(text)")) }
    }

    /// Returns text such as "150 ms on, 350 ms off".
    private static func text(_ pulses: PulsePattern) -> String {
        pulses.milliseconds.enumerated().map { "\($1) ms \($0 % 2 == 0 ? "on" : "off")" }.joined(separator: ", ")
    }
}
