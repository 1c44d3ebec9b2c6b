// A speaker on the sound cards of a Linux machine.

import CAlsa
import Devices
import Sound
import System

package struct SpeakerSettings: Sendable {
    package var cards: any CardList
    package var order = RouteOrder.standard
    package var buzzer: (any Buzzer)?
    /// How loud a card's mixer is set for a ring; nothing where it is to be left alone.
    package var mixerDecibels: Double? = 0
    /// The directory in which it is remembered how mixers were before; without one, a crash in a ring leaves them loud.
    package var mixerDirectory: String?
    package var sounds = SoundCatalogue()
    var areCardsAllowed: @Sendable () -> Bool = { SystemCards.areAllowed }
    /// When a ring is not heard for what hangs in this process, and its speaker says that it is not alive.
    var hangDetector = HangDetector()
    /// What ALSA is to know devices by, in place of the system's configuration.
    package var configuration: AlsaConfiguration?

    package init(cards: any CardList) {
        self.cards = cards
    }
}

/// Plays on the best card that is proven to play, by ALSA. It has a thread of its own, and one for each card in use.
package final class LinuxSpeaker: Speaker {
    private let mailbox: SpeakerMailbox
    private let mixers: Mixers
    private let settings: SpeakerSettings

    private init(_ mailbox: SpeakerMailbox, _ mixers: Mixers, _ settings: SpeakerSettings) {
        (self.mailbox, self.mixers, self.settings) = (mailbox, mixers, settings)
    }

    deinit {
        // The thread falls silent, and goes.
        mailbox.end()
    }

    /// Starts one. It is silent, and no card is open.
    package static func start(_ settings: SpeakerSettings) throws(SystemCallError) -> LinuxSpeaker {
        alsa_keep_quiet()
        let mailbox = try SpeakerMailbox()
        let thread = try SpeakerThread(settings, mailbox)
        do throws(SystemCallError) {
            try startThread(named: "speaker") {
                var thread = thread
                thread.run()
            }
        } catch {
            thread.monitor.end()
            throw error
        }
        return LinuxSpeaker(mailbox, thread.mixers, settings)
    }

    package func order(_ order: SpeakerOrder) { mailbox.post(order) }

    /// Answers whoever is at the bed, by a gap in what sounds or by the buzzer.
    package func signal(_ signal: PulsePattern) { mailbox.post(signal) }

    /// Tries every card on a thread of its own. Whoever may not use all cards learns nothing by trying: ALSA says of a card in
    /// order that there is none.
    package func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        do throws(SystemCallError) {
            try startThread(named: "try") { [settings, mailbox] in
                guard settings.areCardsAllowed() else {
                    mailbox.report(.warning("this user may not play on the sound cards (they are the group audio's)"))
                    return callback([:])
                }
                do throws(AlsaError) {
                    let checks = CardCheck.results(of: try settings.cards.cards(), settings.configuration)
                    callback(checks.mapValues(\.health))
                } catch {
                    mailbox.report(.warning("the cards are not known: \(error)"))
                    callback([:])
                }
            }
        } catch {
            mailbox.report(.warning("no card can be tried: \(error)"))
            callback([:])
        }
    }

    /// Falls silent for good: its thread lets go of cards, puts mixers back, and goes.
    package func end() { mailbox.end() }

    /// What becomes of the orders, for one listener: whoever listens late gets the newest of what was told.
    package var reports: AsyncStream<SpeakerReport> { mailbox.reports }

    package var status: SpeakerStatus { mailbox.status }

    /// Whether its thread has gone round since this was asked last, and nothing that hangs keeps it from being heard.
    package func isAlive() -> Bool { mailbox.pingAndCheck() }

    package var areMixersRestored: Bool { mixers.areRestored }
}
