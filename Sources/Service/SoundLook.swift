// Whether what was chosen will be heard, for whoever is to know at once.

import Synchronization

extension Service {
    /// Tells why some of these sounds will not be heard as they were chosen, in words; nothing where their disk has not said
    /// so in time. It tells once, and here.
    public nonisolated func findUnplayable(
        among sounds: [String], then callback: @escaping @Sendable ([String]?) -> Void
    ) {
        let check = PendingSoundCheck(callback)
        checkSounds(sounds) { [weak self] problems in
            self?.task { _ in check.end(problems) }
        }
        task { service in
            await service.executor.wait(milliseconds: PendingSoundCheck.timeoutMilliseconds)
            check.end(nil)
        }
    }
}

extension Service {
    /// Asks the sounds' disk, when not too many wait for it still.
    nonisolated func checkSounds(_ sounds: [String], then callback: @escaping @Sendable ([String]) -> Void) {
        soundChecks.begin { [bedside, soundChecks] in
            bedside.sounds.check(sounds) { problems in
                soundChecks.end()
                callback(problems)
            }
        }
    }
}

/// Who looks for sounds. A disk that hangs keeps a thread of each, and the player needs one as well: few look at once, and the
/// others when these have.
final class SoundCheckQueue: Sendable {
    static let max = 4
    /// The disk hangs long before so many wait: whoever comes then is not told.
    static let waitingMax = 100

    private struct State {
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Looks, as soon as there is room.
    func begin(_ check: @escaping @Sendable () -> Void) {
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

    /// One has looked: the next may.
    func end() {
        let next: (@Sendable () -> Void)? = state.withLock { state in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.count -= 1
            return nil
        }
        next?()
    }
}

/// Somebody who waits for a disk, and not for long.
private final class PendingSoundCheck: Sendable {
    /// One that has to wake up needs longer: whoever waits is told that nobody knows.
    static let timeoutMilliseconds = 2000

    private let callback: Mutex<(@Sendable ([String]?) -> Void)?>

    init(_ callback: @escaping @Sendable ([String]?) -> Void) {
        self.callback = Mutex(callback)
    }

    /// The first end counts.
    func end(_ problems: [String]?) {
        callback.withLock { $0.take() }?(problems)
    }
}
