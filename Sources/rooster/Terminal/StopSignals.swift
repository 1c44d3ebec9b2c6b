// Signals such as Ctrl-C, for a command that must clean up before it ends.

import CLinux
import Glibc

/// Signals that stay blocked until `wait` accepts them. The caller creates this before any thread, since a
/// signal to an earlier thread would end the process.
struct StopSignals {
    private let asked: sigset_t
    /// A descriptor for poll, readable while a signal is pending; negative if none was left. It stays open
    /// until such a signal ends the process.
    let descriptor: Int32

    /// Blocks SIGINT, SIGTERM, SIGHUP and `others`, each of which ends the command.
    init(and others: [Int32] = []) {
        let ends = [SIGINT, SIGTERM, SIGHUP] + others
        // SIGPIPE is blocked as well, since a closed pipe must not end the command before it has cleaned
        // up.
        var held = StopSignals.set(ends + [SIGPIPE])
        pthread_sigmask(SIG_BLOCK, &held, nil)
        var asked = StopSignals.set(ends)
        self.asked = asked
        descriptor = signalfd(-1, &asked, Int32(SFD_CLOEXEC))
    }

    /// Returns the next signal, or nil after the timeout.
    func wait(milliseconds: Int) -> Int32? {
        var asked = asked
        var limit = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let signal = sigtimedwait(&asked, nil, &limit)
        return signal > 0 ? signal : nil
    }

    /// Returns the result of a wait, or nil if a signal has interrupted it. The caller then handles the
    /// signal.
    func unlessInterrupted<Result>(
        _ wait: () throws(CommandError) -> Result?
    ) throws(CommandError) -> Result? {
        do throws(CommandError) {
            return try wait()
        } catch {
            guard areWaiting else { throw error }
            return nil
        }
    }

    var areWaiting: Bool { isReadable(descriptor, milliseconds: 0) }

    /// Ends the process by the signal, so that its parent sees which signal ended it.
    func end(by signal: Int32) {
        fflush(nil)
        var asked = asked
        raise(signal)
        pthread_sigmask(SIG_UNBLOCK, &asked, nil)
    }

    private static func set(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
