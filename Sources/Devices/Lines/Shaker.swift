// The protocol of the bed shaker, and its pulses.

import Sound

/// A motor under the mattress, on its own GPIO line. It gives no feedback: its health is only that of its line.
package protocol Shaker: Sendable {
    /// Shakes with this rise until the next call; nil stops the motor. Returns at once.
    func shake(_ shaking: Shaking?)
    /// Stops the motor, releases its line for good and ends the reports.
    func end()
    /// The shaker's reports, for one listener.
    var reports: AsyncStream<ShakerReport> { get }
}

package enum ShakerReport: Hashable, Sendable {
    /// The line can be set, at the start or after a failure.
    case ready
    /// The line cannot be set. The driver keeps trying.
    case failed(LineFailure)
}

/// Pulses whose length follows the rise of a ring: gentle at first. They depend only on the uptime, so that a
/// shaker that returns needs no state.
package struct Shaking: Hashable, Sendable {
    private let ramp: Ramp

    /// One pulse begins in each period.
    static let periodMilliseconds = 2000
    static let shortestMilliseconds = 100
    static let longestMilliseconds = 1000

    package init(rampSeconds: Int, startUptime: Int) {
        ramp = Ramp(volume: 1, seconds: rampSeconds, startUptime: startUptime)
    }

    /// Returns whether the motor is on at an uptime, and the time of its next change.
    package func output(at uptime: Int) -> (isOn: Bool, untilUptime: Int) {
        let elapsed = max(0, uptime - ramp.startUptime)
        let began = elapsed - elapsed % Shaking.periodMilliseconds
        let part = 1 - ramp.decibels(afterMilliseconds: Double(began)) / Ramp.startDecibels
        let range = Double(Shaking.longestMilliseconds - Shaking.shortestMilliseconds)
        let length = Shaking.shortestMilliseconds + Int(part * range)
        let isOn = elapsed - began < length
        return (isOn, ramp.startUptime + began + (isOn ? length : Shaking.periodMilliseconds))
    }
}
