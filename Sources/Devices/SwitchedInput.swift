// What is told only while it is asked for: what is typed, stepped on, or held to a reader.

/// An input that is off until it is ordered on. It decides nothing.
package protocol SwitchedInput<Report>: Sendable {
    associatedtype Report: Sendable
    /// Whether it tells anything from now on. It returns at once.
    func order(isOn: Bool)
    /// Lets go of it for good; the reports end.
    func end()
    /// For one listener.
    var reports: AsyncStream<Report> { get }
}

/// A keypad, or several, on which numbers are typed. While it is on, its keys go nowhere else.
package typealias Keypad = SwitchedInput<KeypadReport>

/// A mat, a beam, a motion detector or a step counter. It does not decide whether two pulses are one step.
package typealias StepSensor = SwitchedInput<StepReport>

package typealias TagReader = SwitchedInput<TagReport>
