// The speaker on the sound cards of a Linux machine.

import CAlsa
import Devices
import Sound
import System

package struct SpeakerSettings: Sendable {
    package var cards: any CardList
    package var order = RouteOrder.standard
    package var buzzer: (any Buzzer)?
    /// The level of a card's mixer in a ring; nil to leave mixers alone.
    package var mixerDecibels: Double? = 0
    /// The directory for the mixers' original levels. Without one, a crash in a ring leaves them raised.
    package var mixerDirectory: String?
    package var sounds = SoundCatalogue()
    var areCardsAllowed: @Sendable () -> Bool = { SystemCards.areAllowed }
    /// The detector that makes `isAlive` false if hung threads keep a ring silent.
    var hangDetector = HangDetector()
    /// The ALSA configuration to use in place of the system's.
    package var configuration: AlsaConfiguration?

    package init(cards: any CardList) {
        self.cards = cards
    }
}

/// A speaker that plays on the best card proven to play. It has a thread, and one more for each open card.
package final class LinuxSpeaker: Speaker {
    private let mailbox: SpeakerMailbox
    private let mixers: Mixers
    private let settings: SpeakerSettings

    private init(_ mailbox: SpeakerMailbox, _ mixers: Mixers, _ settings: SpeakerSettings) {
        (self.mailbox, self.mixers, self.settings) = (mailbox, mixers, settings)
    }

    deinit {
        // The thread stops the sound and ends.
        mailbox.end()
    }

    /// Starts a speaker that is silent and has no card open.
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

    /// Emits a short signal to the person at the bed: a gap in the sound, or a pulse of the buzzer.
    package func signal(_ signal: PulsePattern) { mailbox.post(signal) }

    /// Tests every card, unless the user may not open all of them: ALSA would report a working card as
    /// missing.
    package func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        do throws(SystemCallError) {
            try startThread(named: "try") { [settings, mailbox] in
                guard settings.areCardsAllowed() else {
                    mailbox.stream.emit(
                        .warning("No permission to use the sound cards (they are reserved for the group audio)"))
                    return callback([:])
                }
                do throws(AlsaError) {
                    let checks = CardCheck.results(of: try settings.cards.cards(), settings.configuration)
                    callback(checks.mapValues(\.health))
                } catch {
                    mailbox.stream.emit(.warning("The sound cards cannot be tested (\(error))"))
                    callback([:])
                }
            }
        } catch {
            mailbox.stream.emit(.warning("The sound cards cannot be tested (\(error))"))
            callback([:])
        }
    }

    /// Stops for good: the thread closes the cards, restores the mixers, and ends.
    package func end() { mailbox.end() }

    /// The reports, for a single subscriber. A late subscriber receives only the most recent ones.
    package var reports: AsyncStream<SpeakerReport> { mailbox.stream.reports }

    package var status: SpeakerStatus { mailbox.status }

    /// Returns true if the thread answered the last ping and no hang keeps a ring silent. Sends another
    /// ping.
    package func isAlive() -> Bool { mailbox.pingAndCheck() }

    package var areMixersRestored: Bool { mixers.areRestored }
}
