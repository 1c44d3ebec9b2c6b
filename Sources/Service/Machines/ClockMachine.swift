// The clock, the timer and the hardware's alarm clock.

import CivilTime
import Devices
import Engine

/// Decides how far the clock is trusted, and when the hardware has to wake a sleeping machine.
package struct ClockMachine: Sendable {
    /// The engine's last wake; nil before the first.
    private var wake: Wake?
    /// Why the alarm clock could not be set the last time; nil if it could.
    private var wakerError: WakerError?
    private var hasHardwareClockStopped = false

    package init() {}

    // MARK: trust

    /// The service starts. A hardware clock that shows less than the newest record has lost its battery.
    mutating func start(at reading: Moment, newestMilliseconds: Int) {
        hasHardwareClockStopped = reading.wallMilliseconds < newestMilliseconds
    }

    func isTrusted(_ trust: ClockTrust) -> Bool {
        trust == .hardwareClock ? !hasHardwareClockStopped : trust.isTrusted
    }

    func health(_ trust: ClockTrust) -> Health { isTrusted(trust) ? .ok : Health(.clockUnknown) }

    /// Returns the inputs of a change of trust; none if the engine knows it.
    func inputs(_ trust: ClockTrust, in engine: Engine) -> [Input] {
        let isTrusted = isTrusted(trust)
        guard isTrusted != engine.status(nextCount: 0).isClockTrusted else { return [] }
        return [.clockTrusted(isTrusted), .health(.clock, health(trust))]
    }

    // MARK: waking

    mutating func orders(for new: Wake) -> [DeviceOrder] {
        defer { wake = new }
        let timer = DeviceOrder.timer(new.next)
        // A timer calls once and has to be armed again. The hardware's clock does not, and is set only for sounds.
        let isSame = wake.map { new.sound == $0.sound }
        // A failure is retried, if the machine has such a clock.
        let hasFailed = wakerError.map { $0 != WakerError.none } ?? false
        return isSame == true && !hasFailed ? [timer] : [timer, .alarmClock]
    }

    /// How long a machine may sleep that is put to sleep during a ring.
    private static let sleepMillisecondsMax = 60_000

    var hasWake: Bool { wake != nil }

    /// Returns the time at which a sleeping machine has to be awake: for the next sound, and soon during a ring.
    func alarmMilliseconds(at reading: Moment, isRinging: Bool) -> Int? {
        let byUptime = wake?.sound.uptimeMilliseconds.map {
            reading.wallMilliseconds + $0 - reading.uptimeMilliseconds
        }
        let soon = isRinging ? reading.wallMilliseconds + ClockMachine.sleepMillisecondsMax : nil
        return [wake?.sound.wallMilliseconds, byUptime, soon].compactMap(\.self).min()
    }

    /// The alarm clock was set, or could not be. Returns a line for the log, once for each failure: most machines never sleep,
    /// and many cannot be woken.
    mutating func handle(_ error: WakerError?) -> LogLine? {
        defer { wakerError = error }
        guard let error, error != wakerError else { return nil }
        return LogLine(error == .none ? .info : .warning, "\(error)")
    }

    /// A warning for the owner. A machine without such a clock gets none.
    var warning: String? {
        guard let wakerError, wakerError != WakerError.none else { return nil }
        return "Nothing rings while the machine sleeps: \(wakerError)"
    }
}
