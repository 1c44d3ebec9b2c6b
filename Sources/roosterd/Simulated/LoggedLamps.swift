// Simulated lamps, whose light is logged.

import Devices
import Service
import Sound

/// The configured lamps of a simulated bedside.
final class LoggedLamps: Lamps {
    private let roles: Set<LampRole>
    private let log: Log
    private let stream = ReportStream<LampReport>()

    init(_ roles: Set<LampRole>, log: @escaping Log) {
        (self.roles, self.log) = (roles, log)
        for role in roles { stream.emit(.ready(role)) }
    }

    var reports: AsyncStream<LampReport> { stream.reports }

    func show(_ light: LampLight, on lamp: LampRole) {
        switch light {
        case .off: say(lamp, "is off")
        case .on: say(lamp, "is on")
        case .blinking(let pulses): say(lamp, "blinks (\(LoggedLamps.text(pulses)))")
        }
    }

    func flash(_ pulses: PulsePattern, on lamp: LampRole) {
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
