// The machine's own clock.

import CLinux
import Devices
import Glibc
import Synchronization
import System

/// The system's clock. The kernel calls it unsynchronised after some nine hours without a network, though it is hardly a
/// second wrong: here one that was synchronised stays so until the next boot.
package final class LinuxClock: WallClock {
    private let root: String
    private let zone: @Sendable () -> String
    private let sync: @Sendable () -> KernelSync
    private let wasSynchronised = Atomic(false)

    /// The machine's clock. The zone's name is asked for whenever somebody wants to know it.
    package convenience init(zoneName: @escaping @Sendable () -> String) {
        self.init(root: "", zoneName: zoneName) { .now }
    }

    init(root: String, zoneName: @escaping @Sendable () -> String, sync: @escaping @Sendable () -> KernelSync) {
        self.root = root
        zone = zoneName
        self.sync = sync
    }

    package var reading: ClockReading { .now }

    /// The name of the machine's zone; empty where nobody knows it.
    package var zoneName: String { zone() }

    /// Whether the kernel is in step with others, or was; else whether a clock with a battery has set the time.
    package var trust: ClockTrust {
        if wasSynchronised.load(ordering: .relaxed) { return .synchronised }
        if sync().isSynchronised || SystemFile(path: "\(root)\(LinuxClock.synchronisedMark)").exists {
            wasSynchronised.store(true, ordering: .relaxed)
            return .synchronised
        }
        return HardwareClocks(root: root).haveSetTheSystem ? .hardwareClock : .nobody
    }

    /// systemd-timesyncd leaves this until the next boot once it has heard the time: the network may be gone by now.
    private static let synchronisedMark = "/run/systemd/timesync/synchronized"
}

extension ClockReading {
    static var now: ClockReading {
        var best: (reading: ClockReading, spread: Int)?
        // Whoever is interrupted between the two looks again: what is read of one is to be of the same time as the other.
        for _ in 0..<3 {
            let before = Uptime.nanoseconds
            let wall = kernelNanoseconds(CLOCK_REALTIME)
            let after = Uptime.nanoseconds
            let reading = ClockReading(
                wallMilliseconds: wall.flooredMilliseconds, uptimeMilliseconds: after.flooredMilliseconds)
            let spread = after - before
            if spread < 100_000 { return reading }
            if best.map({ spread < $0.spread }) ?? true { best = (reading, spread) }
        }
        return best?.reading ?? ClockReading(wallMilliseconds: 0, uptimeMilliseconds: 0)
    }
}

extension Int {
    /// Of nanoseconds, before 1970 too.
    fileprivate var flooredMilliseconds: Int { (self >= 0 ? self : self - 999_999) / 1_000_000 }
}

struct KernelSync: Hashable {
    /// What it answered: what is done about leap seconds, an error of the clock, or less than zero.
    var answer: Int32
    var status: Int32

    /// As it is now. It needs no right to do so, but a sandbox may forbid it: then the clock is held for not set.
    static var now: KernelSync {
        var settings = timex()
        let answer = adjtimex(&settings)
        return KernelSync(answer: answer, status: settings.status)
    }

    var isSynchronised: Bool { answer >= 0 && answer != TIME_ERROR && status & STA_UNSYNC == 0 }
}
