// The protocol of inputs that are on only while the service needs them: keypad, steps and tags.

/// An input that is off until it is ordered on. It decides nothing.
package protocol SwitchedInput<Report>: Sendable {
    associatedtype Report: Sendable
    /// Switches the reports on or off. Returns at once.
    func order(isOn: Bool)
    /// Releases the input for good and ends the reports.
    func end()
    /// The reports, for one listener.
    var reports: AsyncStream<Report> { get }
}

/// One or more keypads for typing numbers. While they are on, no other program receives their keys.
package typealias Keypad = SwitchedInput<KeypadReport>

/// A mat, a beam, a motion detector or a step counter. The engine decides whether two pulses are one step.
package typealias StepSensor = SwitchedInput<StepReport>

package typealias TagReader = SwitchedInput<TagReport>
