// Ctrl-C and its like, for a command that has to clean up before it ends.

import CLinux
import Glibc

/// Signals that stay blocked until `wait` takes them. Create this before any thread, or a signal there ends the process.
struct StopSignals {
    private let asked: sigset_t
    /// Readable while a signal is pending, to be polled with others; negative where no descriptor was left. It is never closed:
    /// the process ends by such a signal.
    let descriptor: Int32

    /// Signals that end the command, and others that are blocked with them.
    init(and others: [Int32] = []) {
        let ends = [SIGINT, SIGTERM, SIGHUP] + others
        // Blocks SIGPIPE too: a closed pipe must not end the command.
        var held = StopSignals.set(ends + [SIGPIPE])
        pthread_sigmask(SIG_BLOCK, &held, nil)
        var asked = StopSignals.set(ends)
        self.asked = asked
        descriptor = signalfd(-1, &asked, Int32(SFD_CLOEXEC))
    }

    /// Waits for a signal and returns it; nil after the timeout.
    func wait(milliseconds: Int) -> Int32? {
        var asked = asked
        var limit = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let signal = sigtimedwait(&asked, nil, &limit)
        return signal > 0 ? signal : nil
    }

    /// Returns the result of a wait, or nil if a signal has interrupted it. The caller handles the signal next.
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

    /// Ends the process by the signal, so that its parent sees which one it was.
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
