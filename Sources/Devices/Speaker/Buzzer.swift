// The last resort: something that makes a noise when no card does.

import Sound

/// A buzzer on a line of its own.
///
/// Nothing comes back from such a line: one that has answered is believed to sound until it is told something else, though
/// its wire may be cut. It delays no card, for cards go on being tried while it sounds.
public protocol Buzzer: Sendable {
    /// Pulses in that rhythm until it is told something else, or is silent. It returns at once.
    func buzz(_ rhythm: Rhythm?) throws(LineFailure)
}
