// Checking whether chosen sounds can be played, with a timeout and a bound.

import Sound
import Synchronization

extension Service {
    /// Finds out why some of these sounds cannot be played, in words. The callback is called once, on the service: with nil at
    /// the timeout, when the sounds' disk does not answer.
    package nonisolated func findUnplayable(
        among sounds: [String], then callback: @escaping @Sendable ([String]?) -> Void
    ) {
        callOnce(callback) { [soundChecks] end in soundChecks.check(sounds, then: end) }
    }

    /// Lists the sounds that can be chosen. The callback is called once, on the service: with nil at the timeout.
    package nonisolated func listSounds(then callback: @escaping @Sendable ([SoundListing]?) -> Void) {
        callOnce(callback) { [soundChecks] end in soundChecks.list(then: end) }
    }

    private nonisolated func callOnce<Found: Sendable>(
        _ callback: @escaping @Sendable (Found?) -> Void, _ begin: (@escaping @Sendable (Found) -> Void) -> Void
    ) {
        let check = PendingSoundCheck(callback)
        begin { [weak self] found in self?.task { _ in check.end(found) } }
        task { service in
            await service.executor.wait(milliseconds: SoundCheckQueue.timeoutMilliseconds)
            check.end(nil)
        }
    }
}

/// The queue of sound checks. On a disk that hangs each check keeps a thread, and the player needs one as well: few run at
/// once.
final class SoundCheckQueue: Sendable {
    static let max = 4
    /// The bound of the queue. Checks beyond it are dropped: the disk hangs long before so many wait.
    static let waitingMax = 100
    /// A disk that has to spin up takes longer, and the result is unknown.
    static let timeoutMilliseconds = 2000

    private struct State {
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let sounds: any SoundCheck

    init(_ sounds: any SoundCheck) { self.sounds = sounds }

    /// Finds out why some of these sounds cannot be played, in words, as soon as the queue has room.
    func check(_ names: [String], then callback: @escaping @Sendable ([String]) -> Void) {
        run({ [sounds] in sounds.check(names, then: $0) }, then: callback)
    }

    /// Lists the sounds that can be chosen, as soon as the queue has room.
    func list(then callback: @escaping @Sendable ([SoundListing]) -> Void) {
        run({ [sounds] in sounds.list(then: $0) }, then: callback)
    }

    private func run<Found>(
        _ check: @escaping @Sendable (@escaping @Sendable (Found) -> Void) -> Void,
        then callback: @escaping @Sendable (Found) -> Void
    ) {
        let check: @Sendable () -> Void = { [self] in
            check { [self] found in
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

/// A check whose callback is called once: with the result, or at the timeout.
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
