// What a speaker is asked for.

/// What is to be heard, how loud, and how slowly it rises.
package struct Playback: Hashable, Sendable {
    /// For what it is played: what starts for another reason is told of anew, though it may sound the same.
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
    /// A card is open and takes silence, and the sound of that id is made, so that it can begin at once. When that is near,
    /// the card's mixer is raised as well; whoever only tries whether all is ready leaves it as its owner has it.
    case ready(sound: String, isNear: Bool = false)
    /// This is heard until something else is ordered.
    case play(Playback)
}
