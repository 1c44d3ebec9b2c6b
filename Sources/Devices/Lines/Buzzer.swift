// The buzzer: the last resort where no card plays.

import Sound

/// A buzzer on a line of its own. Nothing comes back from it: one that has answered is believed to sound until it is told
/// something else, though its wire may be cut. It delays no card, for cards go on being tried while it sounds.
package protocol Buzzer: Sendable {
    /// Pulses in that rhythm until it is told something else, or is silent. It returns at once.
    func buzz(_ pulses: PulsePattern?) throws(LineFailure)
}
