// What a speaker has to know about the machine it is in, and what its owner wants of it.

import Devices
import Sound

package struct SpeakerSettings: Sendable {
    package var cards: any CardList
    package var order = RouteOrder.standard
    /// The last resort, where there is one.
    package var buzzer: (any Buzzer)?
    /// How loud a card's mixer is set for a ring; nothing where it is to be left alone.
    package var mixerDecibels: Double? = 0
    /// The directory in which it is remembered how mixers were before; without one, a crash in a ring leaves them loud.
    package var mixerDirectory: String?
    package var sounds = SoundCatalogue()
    /// Whether this process may use every card.
    var areCardsAllowed: @Sendable () -> Bool = { SystemCards.areAllowed }
    /// When a ring is not heard for what hangs in this process, and its speaker says that it is not alive.
    var hangWatch = HangDetector()
    /// What ALSA is to know devices by, in place of the system's configuration.
    package var configuration: AlsaConfiguration?

    package init(cards: any CardList) {
        self.cards = cards
    }
}
