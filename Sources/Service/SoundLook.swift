// Whether what was chosen will be heard, for whoever is to know at once.

import Synchronization

extension Service {
    /// Tells why some of these sounds will not be heard as they were chosen, in words; nothing where their disk has not said
    /// so in time. It tells once, and here.
    public nonisolated func look(for sounds: [String], then tell: @escaping @Sendable ([String]?) -> Void) {
        let look = SoundLook(tell)
        checkSounds(sounds) { [weak self] problems in
            self?.task { _ in look.end(problems) }
        }
        task { _ in
            await Preflight.wait(milliseconds: SoundLook.patienceMilliseconds)
            look.end(nil)
        }
    }
}

extension Service {
    /// Asks the sounds' disk, unless too many that have asked wait for it still: then nobody is told.
    nonisolated func checkSounds(_ sounds: [String], then tell: @escaping @Sendable ([String]) -> Void) {
        guard soundLooks.begin() else { return }
        bedside.sounds.check(sounds) { [soundLooks] problems in
            soundLooks.end()
            tell(problems)
        }
    }
}

/// How many look for sounds. A disk that hangs keeps a thread of each, and the player needs one as well.
final class SoundLooks: Sendable {
    static let max = 4

    private let count = Mutex(0)

    /// Whether there is room for one more.
    func begin() -> Bool {
        count.withLock { count in
            guard count < SoundLooks.max else { return false }
            count += 1
            return true
        }
    }

    func end() {
        count.withLock { $0 -= 1 }
    }
}

/// Somebody who waits for a disk, and not for long.
private final class SoundLook: Sendable {
    /// One that has to wake up needs longer: whoever waits is told that nobody knows.
    static let patienceMilliseconds = 2000

    private let tell: Mutex<(@Sendable ([String]?) -> Void)?>

    init(_ tell: @escaping @Sendable ([String]?) -> Void) {
        self.tell = Mutex(tell)
    }

    /// The first end counts.
    func end(_ problems: [String]?) {
        tell.withLock { $0.take() }?(problems)
    }
}
