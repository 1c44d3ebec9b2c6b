// Whether what was chosen will be heard, for whoever is to know at once.

import Sound
import Synchronization

extension Service {
    /// Tells why some of these sounds will not be heard as they were chosen, in words; nothing where their disk has not said
    /// so in time. It tells once, and here.
    public nonisolated func look(for sounds: [String], then tell: @escaping @Sendable ([String]?) -> Void) {
        let look = SoundLook(tell)
        checkSounds(sounds) { [weak self] problems in
            self?.task { _ in look.end(problems) }
        }
        task { service in
            await service.executor.wait(milliseconds: soundLookMilliseconds)
            look.end(nil)
        }
    }
}

extension Service {
    /// Tells which sounds can be chosen; nil where their disk has not said so in time. It tells once, and here.
    public nonisolated func listSounds(then tell: @escaping @Sendable ([SoundListing]?) -> Void) {
        let look = SoundLook(tell)
        soundLooks.begin { [bedside, soundLooks] in
            bedside.sounds.list { [weak self] sounds in
                soundLooks.end()
                self?.task { _ in look.end(sounds) }
            }
        }
        task { service in
            await service.executor.wait(milliseconds: soundLookMilliseconds)
            look.end(nil)
        }
    }

    /// Asks the sounds' disk, when not too many wait for it still.
    nonisolated func checkSounds(_ sounds: [String], then tell: @escaping @Sendable ([String]) -> Void) {
        soundLooks.begin { [bedside, soundLooks] in
            bedside.sounds.check(sounds) { problems in
                soundLooks.end()
                tell(problems)
            }
        }
    }
}

/// Who looks for sounds. A disk that hangs keeps a thread of each, and the player needs one as well: few look at once, and the
/// others when these have.
final class SoundLooks: Sendable {
    static let max = 4
    /// The disk hangs long before so many wait: whoever comes then is not told.
    static let waitingMax = 100

    private struct State {
        var count = 0
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Looks, as soon as there is room.
    func begin(_ look: @escaping @Sendable () -> Void) {
        let hasRoom = state.withLock { state in
            if state.count < SoundLooks.max {
                state.count += 1
                return true
            }
            if state.waiting.count < SoundLooks.waitingMax { state.waiting.append(look) }
            return false
        }
        if hasRoom { look() }
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

/// A disk that has to wake up needs longer: whoever waits is told that nobody knows.
private let soundLookMilliseconds = 2000

/// Somebody who waits for a disk, and not for long.
private final class SoundLook<Found: Sendable>: Sendable {
    private let tell: Mutex<(@Sendable (Found?) -> Void)?>

    init(_ tell: @escaping @Sendable (Found?) -> Void) {
        self.tell = Mutex(tell)
    }

    /// The first end counts.
    func end(_ found: Found?) {
        tell.withLock { $0.take() }?(found)
    }
}
