// The checks whether chosen sounds can be played, limited in time and number.

import Sound
import Synchronization

extension Service {
    /// Calls back with a text for each of these sounds that cannot be played. The callback runs once, on the
    /// service; it gets nil if the sounds' disk does not answer in time.
    package nonisolated func findUnplayable(
        among sounds: [String], then callback: @escaping @Sendable ([String]?) -> Void
    ) {
        callOnce(callback) { [soundChecks] end in soundChecks.check(sounds, then: end) }
    }

    /// Calls back with all sounds that can be chosen. The callback runs once, on the service; it gets nil at
    /// the timeout.
    package nonisolated func listSounds(then callback: @escaping @Sendable ([SoundListing]?) -> Void) {
        callOnce(callback) { [soundChecks] end in soundChecks.list(then: end) }
    }

    /// Calls back with the WAV file of the beginning of a sound, in the same way.
    package nonisolated func previewSound(
        _ id: String, then callback: @escaping @Sendable (Result<[UInt8], SoundLibraryError>?) -> Void
    ) {
        callOnce(within: SoundCheckQueue.readingMilliseconds, callback) { [soundChecks] end in
            soundChecks.run({ $0.preview(id, then: $1) }, then: end)
        }
    }

    /// Stores a piece of a new sound file, and calls back in the same way.
    package nonisolated func addSound(
        _ piece: SoundPiece, then callback: @escaping @Sendable (Result<AddedSound?, SoundLibraryError>?) -> Void
    ) {
        callOnce(within: SoundCheckQueue.readingMilliseconds, callback) { [soundChecks] end in
            soundChecks.run({ $0.add(piece, then: $1) }, then: end)
        }
    }

    /// Deletes an owner's sound file, and calls back in the same way.
    package nonisolated func removeSound(
        _ id: String, then callback: @escaping @Sendable (Result<Void, SoundLibraryError>?) -> Void
    ) {
        callOnce(within: SoundCheckQueue.readingMilliseconds, callback) { [soundChecks] end in
            soundChecks.run({ $0.remove(id, then: $1) }, then: end)
        }
    }

    private nonisolated func callOnce<Found: Sendable>(
        within milliseconds: Int = SoundCheckQueue.timeoutMilliseconds,
        _ callback: @escaping @Sendable (Found?) -> Void, _ begin: (@escaping @Sendable (Found) -> Void) -> Void
    ) {
        let check = PendingSoundCheck(callback)
        begin { [weak self] found in self?.task { _ in check.end(found) } }
        task { service in
            await service.executor.wait(milliseconds: milliseconds)
            check.end(nil)
        }
    }
}

/// The queue of sound checks. Each check occupies a thread while its disk hangs, and the player needs a
/// thread as well. Therefore few checks run at once.
final class SoundCheckQueue: Sendable {
    static let max = 4
    /// The limit of waiting checks. Further ones are dropped: so many wait only if the disk hangs.
    static let waitingMax = 100
    /// The time after which the result is unknown. A disk that has to spin up may take longer.
    static let timeoutMilliseconds = 2000
    /// The same if a whole file is read or written. A small machine needs seconds to read three minutes of sound.
    static let readingMilliseconds = 15_000

    private struct State {
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let sounds: any SoundLibrary

    init(_ sounds: any SoundLibrary) { self.sounds = sounds }

    /// Calls back with a text for each of these sounds that cannot be played, when the queue permits.
    func check(_ names: [String], then callback: @escaping @Sendable ([String]) -> Void) {
        run({ $0.check(names, then: $1) }, then: callback)
    }

    /// Calls back with all sounds that can be chosen, when the queue permits.
    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void) {
        run({ $0.list(then: $1) }, then: callback)
    }

    /// Runs a call of the library, when the queue permits.
    func run<Found>(
        _ call: @escaping @Sendable (any SoundLibrary, @escaping @Sendable (Found) -> Void) -> Void,
        then callback: @escaping @Sendable (Found) -> Void
    ) {
        let check: @Sendable () -> Void = { [self] in
            call(sounds) { [self] found in
                end()
                callback(found)
            }
        }
        let hasRoom = state.withLock { state in
            if state.count < SoundCheckQueue.max {
                state.count += 1
                return true
            }
            if state.waiting.count < SoundCheckQueue.waitingMax { state.waiting.append(check) }
            return false
        }
        if hasRoom { check() }
    }

    private func end() {
        let next: (@Sendable () -> Void)? = state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.count -= 1
            return nil
        }
        next?()
    }
}

/// A check whose callback runs once: with the result, or at the timeout.
private final class PendingSoundCheck<Found: Sendable>: Sendable {
    private let callback: Mutex<(@Sendable (Found?) -> Void)?>

    init(_ callback: @escaping @Sendable (Found?) -> Void) {
        self.callback = Mutex(callback)
    }

    /// Calls the callback. Only the first call counts.
    func end(_ found: Found?) {
        callback.withLock { $0.take() }?(found)
    }
}
