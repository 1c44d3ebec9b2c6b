// The protocol of the buttons at the bed.

import Alarms

/// Buttons that report when they go down and up. The engine decides the meaning of a press.
package protocol Buttons: Sendable {
    /// The buttons' reports, for one listener.
    var reports: AsyncStream<ButtonReport> { get }
    /// Releases the buttons for good and ends the reports.
    func end()
}

package enum ButtonReport: Hashable, Sendable {
    /// The button can be read from now on, at the start or after a failure. If it is already down, the time
    /// of the press is unknown.
    case found(Button, isDown: Bool)
    /// The button went down or up at this uptime in milliseconds. The reports of a button alternate between
    /// down and up, and are debounced.
    case moved(Button, isDown: Bool, uptime: Int)
    /// The button cannot be read, and its last state no longer counts. The driver keeps trying.
    case failed(Button, LineFailure)
    /// A warning for the owner: the button may not work with this wiring.
    case warning(Button, String)
}
