// The decision to restart a process whose hung threads keep a ring silent.

import Glibc
import System

/// Measures how long a ring is silent. The cause may be a hung thread, which ends only with the process.
struct HangDetector: Sendable {
    /// The silence before a restart. Until then a loudspeaker may still be plugged in.
    var timeoutMilliseconds = 60_000.0
    /// The time after which a thread is stuck for good. A slow disk blocks a thread for less.
    var stuckMilliseconds = 5000.0
    /// Returns the threads that would keep this process from ending.
    var stuck: @Sendable () -> Set<String> = OwnThreads.stuck

    private var unheardSinceUptime: Double?
    /// For each stuck thread, the uptime of the first of the consecutive checks that found it stuck.
    private var stuckSinceUptime: [String: Double] = [:]

    init() {}

    /// Returns true if a new process could make the ring audible. If this process cannot end, no new one
    /// could start. Then the process stays, to ring at least on the next card that is plugged in.
    mutating func shouldRestart(isToBeHeard: Bool, isHeard: Bool, hangs: Bool, at uptime: Double) -> Bool {
        guard isToBeHeard, !isHeard else {
            (unheardSinceUptime, stuckSinceUptime) = (nil, [:])
            return false
        }
        let since = unheardSinceUptime ?? uptime
        unheardSinceUptime = since
        let stuck = hangs ? stuck() : []
        stuckSinceUptime = stuckSinceUptime.filter { stuck.contains($0.key) }
        for thread in stuck where stuckSinceUptime[thread] == nil { stuckSinceUptime[thread] = uptime }
        let canEnd = !stuckSinceUptime.values.contains { uptime - $0 >= stuckMilliseconds }
        return hangs && uptime - since >= timeoutMilliseconds && canEnd
    }
}

/// The threads of this process, as the kernel sees them.
enum OwnThreads {
    private static let folder = "/proc/self/task"

    /// Returns the ids of the threads in uninterruptible sleep: on a disk for a moment, or in a driver for
    /// ever. A killed process with such a thread keeps its resources, so the next process would get neither
    /// the journal's lock nor that card. (The kernel also shows threads this way that SIGKILL would end.)
    static func stuck() -> Set<String> {
        // If the threads cannot be listed, assume that the process can end.
        Set(Folder.readableNames(in: folder).filter { isStuck("\(folder)/\($0)/stat") })
    }

    private static func isStuck(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        // The state follows the thread's name, which may contain any character.
        guard count > 0, let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return false
        }
        return bytes[end + 2] == UInt8(ascii: "D")
    }
}
