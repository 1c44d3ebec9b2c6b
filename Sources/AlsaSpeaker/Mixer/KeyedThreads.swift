// Threads for work that may hang, whose callers must not wait for it.

import Synchronization
import System

/// Threads that each work for one key, and exist while there is work. A request that arrives during the work
/// repeats the work once.
///
/// ALSA's mixer calls and the disk have no timeout: a call into a driver that hangs returns late or never.
/// One thread for all keys would hang with the first of them, and leave every other mixer muted, or as loud
/// as for a ring.
final class KeyedThreads: Sendable {
    private struct RunningWork {
        var startUptime = Uptime.now
        var isRequestedAgain = false
    }

    private let name: String
    private let running = Mutex<[String: RunningWork]>([:])

    init(named name: String) {
        self.name = name
    }

    /// Starts the work for a key, or repeats it once it has ended. If no thread can be started, the caller
    /// does the work: a card that stays mute would be worse than a delay.
    func request(_ key: String, _ work: @escaping @Sendable () -> Void) {
        let isIdle = running.withLock { running in
            let isIdle = running[key] == nil
            if isIdle { running[key] = RunningWork() } else { running[key]?.isRequestedAgain = true }
            return isIdle
        }
        if isIdle { runOnThread(named: "\(name) \(key)") { [self] in run(key, work) } }
    }

    private func run(_ key: String, _ work: () -> Void) {
        repeat {
            work()
        } while running.withLock { running in
            let isRequestedAgain = running[key]?.isRequestedAgain == true
            running[key] = isRequestedAgain ? RunningWork() : nil
            return isRequestedAgain
        }
    }

    /// Returns the time since the work for a key was started; nil while there is none.
    func runningMilliseconds(_ key: String) -> Double? {
        running.withLock { running in running[key].map { Uptime.now - $0.startUptime } }
    }

    var areIdle: Bool { running.withLock(\.isEmpty) }
}
