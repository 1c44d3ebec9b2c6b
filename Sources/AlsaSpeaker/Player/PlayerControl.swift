// All that a player's thread shares with others while it plays: atomics.

import Glibc
import Sound
import Synchronization
import System

/// What a player is told, and what can be seen of it. Nobody waits for anybody here.
final class PlayerControl: Sendable {
    /// The sound to play from now on; nil where the player has it already.
    private let pending = Atomic<Unmanaged<PlayedSound>?>(nil)
    private let isOver = Atomic(false)
    private let isInterrupted = Atomic(false)
    private let taken = Atomic(0)
    /// Less than zero while nothing is heard.
    private let firstHeard = Atomic(-1)
    private let wakeUp: WakeUp

    init() throws(SystemCallError) {
        wakeUp = try WakeUp()
    }

    deinit {
        replacePending(nil)
    }

    // MARK: For whoever owns the player

    func play(_ sound: PlayedSound) { post(sound) }

    func mute() { post(.silence) }

    /// What is heard is to be interrupted for a moment.
    func interrupt() {
        isInterrupted.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    /// The player is to let go of its card.
    func end() {
        isOver.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    var position: CardPosition {
        let first = firstHeard.load(ordering: .acquiring)
        return CardPosition(frames: taken.load(ordering: .relaxed), firstHeardFrame: first < 0 ? nil : first)
    }

    private func post(_ sound: PlayedSound) {
        replacePending(Unmanaged.passRetained(sound))
        wakeUp.signal()
    }

    private func replacePending(_ new: Unmanaged<PlayedSound>?) {
        pending.exchange(new, ordering: .acquiringAndReleasing)?.release()
    }

    // MARK: For the player

    var isEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Takes the sound, or the silence, that was ordered since the last call.
    func takePending() -> PlayedSound? {
        pending.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
    }

    /// Whether it was to be interrupted since this was asked last.
    func takeInterruption() -> Bool { isInterrupted.exchange(false, ordering: .acquiring) }

    func publish(takenFrames: Int, firstHeardFrame: Int?) {
        taken.store(takenFrames, ordering: .relaxed)
        firstHeard.store(firstHeardFrame ?? -1, ordering: .releasing)
    }

    func descriptors(and others: [pollfd]) -> [pollfd] { wakeUp.descriptors(and: others) }

    /// Waits for its owner, for the card, or for the time to be over. Answers whether the card has something to tell.
    func wait(_ descriptors: inout [pollfd], milliseconds: Double?) -> Bool {
        wakeUp.wait(&descriptors, milliseconds: milliseconds)
    }

    func wait(milliseconds: Double?) { wakeUp.wait(milliseconds: milliseconds) }
}

/// When a sound began: set by the card that plays it first, and gone by by all that play it later. So is how far its level has
/// come: the clock of a card may be faster than the machine's.
final class SoundStart: Sendable {
    private static let unset = -1
    /// In microseconds since the machine was started.
    private let microseconds = Atomic(unset)
    private let reachedMicroseconds = Atomic(unset)

    /// The start, in milliseconds: that which was set first.
    func settled(atUptime uptime: Double) -> Double {
        let (_, before) = microseconds.compareExchange(
            expected: SoundStart.unset, desired: Int(uptime * 1000), ordering: .relaxed)
        return before == SoundStart.unset ? uptime : Double(before) / 1000
    }

    /// The level of that time was heard, in milliseconds.
    func reach(_ uptime: Double) { reachedMicroseconds.max(Int(uptime * 1000), ordering: .relaxed) }

    /// That of the latest time that was heard.
    var reachedUptime: Double { Double(reachedMicroseconds.load(ordering: .relaxed)) / 1000 }
}

/// The samples of a card's rate that a player repeats, and their level.
final class PlayedSound: Sendable {
    /// No sound: the player takes back what its card has not played yet.
    static let silence = PlayedSound(
        Samples(values: [], rate: 48_000), ramp: Ramp(volume: 0, seconds: 0, startUptime: 0), start: SoundStart())

    let samples: Samples
    let ramp: Ramp
    let start: SoundStart

    init(_ samples: Samples, ramp: Ramp, start: SoundStart) {
        (self.samples, self.ramp, self.start) = (samples, ramp, start)
    }
}
