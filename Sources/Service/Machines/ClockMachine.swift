// The clock, the timer and the hardware's alarm clock.

import CivilTime
import Devices
import Engine
import Health
import Text

/// Decides whether the clock is trusted, and when the hardware has to wake a sleeping machine.
package struct ClockMachine: Sendable {
    /// The engine's last wake; nil before the first.
    private var wake: Wake?
    /// The error of the last attempt to set the alarm clock; nil if it succeeded.
    private var wakerError: WakerError?
    private var hasHardwareClockStopped = false

    package init() {}

    // MARK: trust

    /// Records the first reading. If the clock shows less than the newest record, the hardware clock has
    /// lost its battery.
    mutating func start(at reading: Moment, newestMilliseconds: Int) {
        hasHardwareClockStopped = reading.wallMilliseconds < newestMilliseconds
    }

    func isTrusted(_ trust: ClockTrust) -> Bool {
        trust == .hardwareClock ? !hasHardwareClockStopped : trust.isTrusted
    }

    func health(_ trust: ClockTrust) -> Health { isTrusted(trust) ? .ok : Health(.clockUnknown) }

    /// Returns the inputs that report a change of trust; none if the engine already has it.
    func inputs(_ trust: ClockTrust, in engine: Engine) -> [Input] {
        let isTrusted = isTrusted(trust)
        guard isTrusted != engine.status(nextCount: 0).isClockTrusted else { return [] }
        return [.clockTrusted(isTrusted), .health(.clock, health(trust))]
    }

    // MARK: waking

    mutating func orders(for new: Wake) -> [DeviceOrder] {
        defer { wake = new }
        let timer = DeviceOrder.timer(new.next)
        // The timer fires once, and must be set each time. The alarm clock keeps its time, and wakes only
        // for sounds.
        let isSame = wake.map { new.sound == $0.sound }
        // Retry after a failure, unless the machine has no such clock.
        let hasFailed = wakerError.map { $0 != WakerError.none } ?? false
        return isSame == true && !hasFailed ? [timer] : [timer, .alarmClock]
    }

    /// The longest sleep of a machine that is suspended during a ring.
    private static let sleepMillisecondsMax = 60_000

    var hasWake: Bool { wake != nil }

    /// Returns the time at which a sleeping machine must be awake: for the next sound, and soon during a
    /// ring.
    func alarmMilliseconds(at reading: Moment, isRinging: Bool) -> Int? {
        let byUptime = wake?.sound.uptimeMilliseconds.map {
            reading.wallMilliseconds + $0 - reading.uptimeMilliseconds
        }
        let soon = isRinging ? reading.wallMilliseconds + ClockMachine.sleepMillisecondsMax : nil
        return [wake?.sound.wallMilliseconds, byUptime, soon].compactMap(\.self).min()
    }

    /// Records the result of setting the alarm clock. Returns a line for the log, once per failure: most
    /// machines never sleep, and many cannot be woken.
    mutating func handle(_ error: WakerError?) -> LogLine? {
        defer { wakerError = error }
        guard let error, error != wakerError else { return nil }
        return LogLine(error == .none ? .info : .warning, "\(error)".capitalisedFirst)
    }

    /// A warning for the owner. A machine without an alarm clock gets none.
    var warning: String? {
        guard let wakerError, wakerError != WakerError.none else { return nil }
        return "No alarm rings while the machine sleeps (\(wakerError))"
    }
}
