// The protocol of the buzzer, the last resort when no card plays.

import Sound

/// A buzzer on its own GPIO line. It gives no feedback: a buzzer that accepted an order counts as sounding,
/// though its wire may be cut. Cards are tried all the while, so the buzzer delays none.
package protocol Buzzer: Sendable {
    /// Pulses with this pattern until the next call. Nil silences the buzzer. Returns at once.
    func buzz(_ pulses: PulsePattern?) throws(LineFailure)
}
