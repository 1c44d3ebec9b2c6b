// The clock of the machine and its trust.

import CLinux
import CivilTime
import Devices
import Glibc
import Synchronization
import System

/// The system's clock. Without a network, the kernel calls it unsynchronised after about nine hours, though
/// it is less than a second wrong. Here a clock that was once synchronised stays trusted.
package final class LinuxClock: WallClock {
    private let root: String
    private let zone: @Sendable () -> String
    private let sync: @Sendable () -> KernelSync
    private let wasSynchronised = Atomic(false)

    /// The machine's clock. The closure is called at each read of `zoneName`.
    package convenience init(zoneName: @escaping @Sendable () -> String) {
        self.init(root: "", zoneName: zoneName) { .now }
    }

    init(root: String, zoneName: @escaping @Sendable () -> String, sync: @escaping @Sendable () -> KernelSync) {
        self.root = root
        zone = zoneName
        self.sync = sync
    }

    package var reading: Moment { .now }

    /// The name of the machine's zone; empty if it is unknown.
    package var zoneName: String { zone() }

    /// The trust in the time: whether the kernel or systemd-timesyncd has synchronised it, or a hardware
    /// clock has set it.
    package var trust: ClockTrust {
        if wasSynchronised.load(ordering: .relaxed) { return .synchronised }
        if sync().isSynchronised || SystemFile(path: "\(root)\(LinuxClock.synchronisedMark)").exists {
            wasSynchronised.store(true, ordering: .relaxed)
            return .synchronised
        }
        return HardwareClocks(root: root).haveSetTheSystem ? .hardwareClock : .nobody
    }

    /// A file that systemd-timesyncd creates at its first synchronisation. It stays until the next boot,
    /// even without a network.
    private static let synchronisedMark = "/run/systemd/timesync/synchronized"
}

extension Moment {
    static var now: Moment {
        var best: (reading: Moment, spread: Int)?
        // If the thread is interrupted between the two reads, they are of different times: read again.
        for _ in 0..<3 {
            let before = Uptime.nanoseconds
            let wall = kernelNanoseconds(CLOCK_REALTIME)
            let after = Uptime.nanoseconds
            let reading = Moment(
                wallMilliseconds: wall.flooredMilliseconds, uptimeMilliseconds: after.flooredMilliseconds)
            let spread = after - before
            if spread < 100_000 { return reading }
            if best.map({ spread < $0.spread }) ?? true { best = (reading, spread) }
        }
        return best?.reading ?? Moment(wallMilliseconds: 0, uptimeMilliseconds: 0)
    }
}

extension Int {
    /// Nanoseconds as milliseconds, rounded down, also for times before 1970.
    fileprivate var flooredMilliseconds: Int { (self >= 0 ? self : self - 999_999) / 1_000_000 }
}

struct KernelSync: Hashable {
    /// The result of adjtimex(2): the state of leap seconds, TIME_ERROR, or negative if the call failed.
    var answer: Int32
    var status: Int32

    /// The present state. If a sandbox forbids the call, the clock counts as not synchronised.
    static var now: KernelSync {
        var settings = timex()
        let answer = adjtimex(&settings)
        return KernelSync(answer: answer, status: settings.status)
    }

    var isSynchronised: Bool { answer >= 0 && answer != TIME_ERROR && status & STA_UNSYNC == 0 }
}
