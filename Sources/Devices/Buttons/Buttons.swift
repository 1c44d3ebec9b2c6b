// The buttons that are pressed from bed.

import Alarms

/// Buttons that tell when they go down and up. What a press means is decided elsewhere.
package protocol Buttons: Sendable {
    /// What happens to them, for one listener.
    var reports: AsyncStream<ButtonReport> { get }
    /// Lets go of them for good; the reports end.
    func end()
}

package enum ButtonReport: Hashable, Sendable {
    /// The button can be read from now on, and was down or up when that began: at the start, and when it works again. One that
    /// is down was pressed at an unknown time.
    case found(Button, isDown: Bool)
    /// The button went down or up at that time, in milliseconds since the machine was started. Of each button, down and up come
    /// in turns, and never two within the time in which contacts bounce.
    case moved(Button, isDown: Bool, uptime: Int)
    /// The button cannot be read, and why: what it was like before says nothing of now. It is tried again.
    case failed(Button, LineFailure)
    /// The button may not work as it is wired, in words.
    case warning(Button, String)
}
