// The state that a player's thread shares with its owner. All of it is atomic.

import Glibc
import Sound
import Synchronization
import System

/// The orders to a player, and its position. Neither side waits for the other.
final class PlayerControl: Sendable {
    /// The next sound to play; nil once the player has taken it.
    private let pending = Atomic<Unmanaged<PlayedSound>?>(nil)
    private let isOver = Atomic(false)
    private let isInterrupted = Atomic(false)
    private let taken = Atomic(0)
    /// Negative while no sound is heard.
    private let firstHeard = Atomic(-1)
    private let wakeUp: WakeUp

    init() throws(SystemCallError) {
        wakeUp = try WakeUp()
    }

    deinit {
        replacePending(nil)
    }

    // MARK: Called by the owner

    func play(_ sound: PlayedSound) {
        replacePending(Unmanaged.passRetained(sound))
        wakeUp.signal()
    }

    func mute() { play(.silence) }

    /// Requests a short interruption of the sound.
    func interrupt() {
        isInterrupted.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    /// Requests that the player close its card.
    func end() {
        isOver.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    var position: CardPosition {
        let first = firstHeard.load(ordering: .acquiring)
        return CardPosition(frames: taken.load(ordering: .relaxed), firstHeardFrame: first < 0 ? nil : first)
    }

    private func replacePending(_ new: Unmanaged<PlayedSound>?) {
        pending.exchange(new, ordering: .acquiringAndReleasing)?.release()
    }

    // MARK: Called by the player

    var isEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Takes the sound, or the silence, that was ordered since the last call.
    func takePending() -> PlayedSound? {
        pending.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
    }

    /// Returns true if an interruption was requested since the last call.
    func takeInterruption() -> Bool { isInterrupted.exchange(false, ordering: .acquiring) }

    func publish(takenFrames: Int, firstHeardFrame: Int?) {
        taken.store(takenFrames, ordering: .relaxed)
        firstHeard.store(firstHeardFrame ?? -1, ordering: .releasing)
    }

    func descriptors(and others: [pollfd]) -> [pollfd] { wakeUp.descriptors(and: others) }

    /// Waits for the owner, the card or the timeout. Returns true if one of the card's descriptors is ready.
    func wait(_ descriptors: inout [pollfd], milliseconds: Double?) -> Bool {
        wakeUp.wait(&descriptors, milliseconds: milliseconds)
    }

    func wait(milliseconds: Double?) { wakeUp.wait(milliseconds: milliseconds) }
}

/// The start of a sound, set by the first card that plays it and reused by later ones. The level that was
/// reached is shared as well, since a card's clock may be faster than the machine's.
final class SoundStart: Sendable {
    private static let unset = -1
    /// In microseconds of uptime.
    private let microseconds = Atomic(unset)
    private let reachedMicroseconds = Atomic(unset)

    /// Returns the start in milliseconds. The first call sets it.
    func settled(atUptime uptime: Double) -> Double {
        let (_, before) = microseconds.compareExchange(
            expected: SoundStart.unset, desired: Int(uptime * 1000), ordering: .relaxed)
        return before == SoundStart.unset ? uptime : Double(before) / 1000
    }

    /// Records that the level of this uptime, in milliseconds, was heard.
    func reach(_ uptime: Double) { reachedMicroseconds.max(Int(uptime * 1000), ordering: .relaxed) }

    /// The latest uptime whose level was heard.
    var reachedUptime: Double { Double(reachedMicroseconds.load(ordering: .relaxed)) / 1000 }
}

/// The samples at a card's rate that a player loops, and their level.
final class PlayedSound: Sendable {
    /// Silence: the player takes back the frames that its card has not played.
    static let silence = PlayedSound(
        Samples(values: [], rate: 48_000), ramp: Ramp(volume: 0, seconds: 0, startUptime: 0), start: SoundStart())

    let samples: Samples
    let ramp: Ramp
    let start: SoundStart

    init(_ samples: Samples, ramp: Ramp, start: SoundStart) {
        (self.samples, self.ramp, self.start) = (samples, ramp, start)
    }
}
