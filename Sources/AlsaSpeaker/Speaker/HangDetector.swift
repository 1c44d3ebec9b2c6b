// When a speaker whose thread still runs should be restarted, and whether this process could end.

import Glibc
import System

/// Watches how long a ring is not heard. What hangs in this process ends only with it, and may be what nobody hears it for.
struct HangDetector: Sendable {
    /// For so long it may be that somebody plugs something in.
    var timeoutMilliseconds = 60_000.0
    /// A slow disk keeps a thread for so long, and lets it go.
    var stuckMilliseconds = 5000.0
    /// The threads that keep this process from an end.
    var stuck: @Sendable () -> Set<String> = OwnThreads.stuck

    private var unheardSinceUptime: Double?
    /// Since when each of them was found stuck at every look.
    private var stuckSinceUptime: [String: Double] = [:]

    init() {}

    /// Whether a new process may be heard where this one is not. One that cannot end leaves no room for a new one, and rings at
    /// least on what is plugged in next.
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

    /// The numbers of those that wait in the kernel for what no signal ends: a disk for a moment, or a driver for good. Their
    /// process would outlive whoever kills it, with all that it holds: the next one would get neither the journal's lock nor
    /// that card. (The kernel shows those alike that SIGKILL would end.)
    static func stuck() -> Set<String> {
        do throws(FolderError) {
            return Set(try Folder.names(in: folder).filter { isStuck("\(folder)/\($0)/stat") })
        } catch {
            // Where nobody can tell, what hangs is more likely in here.
            return []
        }
    }

    private static func isStuck(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(descriptor, &bytes, bytes.count)
        // Behind the thread's name, which may have anything in it, comes its state.
        guard count > 0, let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
            return false
        }
        return bytes[end + 2] == UInt8(ascii: "D")
    }
}
