// What a speaker has to know about the machine it is in, and what its owner wants of it.

import Devices
import Sound

/// The settings of a speaker.
public struct SpeakerSettings: Sendable {
    /// Which cards there are.
    public var cards: any CardList
    /// Which of them is better than which.
    public var order = RouteOrder.standard
    /// The last resort, where there is one.
    public var buzzer: (any Buzzer)?
    /// How loud a card's mixer is set for a ring; nothing where it is to be left alone.
    public var mixerDecibels: Double? = 0
    /// The directory in which it is remembered how mixers were before; without one, a crash in a ring leaves them loud.
    public var mixerDirectory: String?
    /// All sounds that can be chosen.
    public var sounds = SoundCatalogue()
    /// Whether this process may use every card.
    var areCardsAllowed: @Sendable () -> Bool = { SystemCards.areAllowed }
    /// When a ring is not heard for what hangs in this process, and its speaker says that it is not alive.
    var hangWatch = HangDetector()
    /// What ALSA is to know devices by, in place of the system's configuration.
    public var configuration: AlsaConfiguration?

    /// The defaults, for these cards.
    public init(cards: any CardList) {
        self.cards = cards
    }
}
