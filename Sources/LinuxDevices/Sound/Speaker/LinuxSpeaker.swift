// A speaker on the sound cards of a Linux machine.

import CAlsa
import Devices
import Loop
import Sound

/// Plays on the best card that is proven to play, by ALSA. It has a thread of its own, and one for each card in use.
public final class LinuxSpeaker: Speaker {
    private let box: SpeakerMailbox
    private let mixers: Mixers

    private init(_ box: SpeakerMailbox, _ mixers: Mixers) {
        (self.box, self.mixers) = (box, mixers)
    }

    deinit {
        // The thread falls silent, and goes.
        box.end()
    }

    /// Starts one. It is silent, and no card is open.
    public static func start(_ settings: SpeakerSettings) throws(LoopError) -> LinuxSpeaker {
        alsa_keep_quiet()
        let box = try SpeakerMailbox()
        let work = try SpeakerWork(settings, box)
        do throws(LoopError) {
            try startThread(named: "speaker") {
                var work = work
                work.run()
            }
        } catch {
            work.monitor.end()
            throw error
        }
        return LinuxSpeaker(box, work.mixers)
    }

    /// Says what is to be heard from now on.
    public func order(_ order: SpeakerOrder) { box.post(order) }

    /// Answers whoever is at the bed, by a gap in what sounds or by the buzzer.
    public func signal(_ signal: Rhythm) { box.post(signal) }

    /// Falls silent for good: its thread lets go of cards, puts mixers back, and goes.
    public func end() { box.end() }

    /// What becomes of the orders, for one listener: whoever listens late gets the newest of what was told.
    public var reports: AsyncStream<SpeakerReport> { box.reports }

    /// How it is now.
    public var status: SpeakerStatus { box.status }

    /// Whether its thread has gone round since this was asked last, and nothing that hangs keeps it from being heard.
    public func isAlive() -> Bool { box.isAlive() }

    /// Whether each mixer is as its owner left it, as far as that can be.
    public var areMixersRestored: Bool { mixers.areRestored }
}
