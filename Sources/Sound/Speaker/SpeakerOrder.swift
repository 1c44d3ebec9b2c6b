// The orders that a speaker accepts.

/// A sound with its volume and its rise.
package struct Playback: Hashable, Sendable {
    /// The purpose of the sound. A new reason is reported as a new start, even if it sounds the same.
    package var reason: String
    /// The id of a sound.
    package var sound: String
    package var ramp: Ramp

    package init(reason: String, sound: String, ramp: Ramp) {
        (self.reason, self.sound, self.ramp) = (reason, sound, ramp)
    }
}

package enum SpeakerOrder: Hashable, Sendable {
    /// No sound, and no card in use.
    case silent
    /// Opens a card in silence and prepares that sound, so that it can start at once. If the ring is near,
    /// the card's mixer is raised as well. A preflight leaves the mixer as the owner set it.
    case ready(sound: String, isNear: Bool = false)
    /// Plays this until the next order.
    case play(Playback)
}
