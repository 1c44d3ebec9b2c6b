// Ctrl-C and its like, for a command that has to put something in order before it ends.

import CLinux
import Glibc

/// Signals that wait until somebody asks for them. Made before any other thread is, so that none of them ends the process.
struct StopSignals {
    private let asked: sigset_t
    /// Where one arrives, for whoever waits for other things too; none where the system has none left. It is open as long as
    /// the process, which ends by such a signal.
    let descriptor: Int32

    /// Those that are meant to end it, and more that are to wait as these do.
    init(and others: [Int32] = []) {
        let ends = [SIGINT, SIGTERM, SIGHUP] + others
        // Nor does it end because nobody reads any more what it prints.
        var held = StopSignals.set(ends + [SIGPIPE])
        pthread_sigmask(SIG_BLOCK, &held, nil)
        var asked = StopSignals.set(ends)
        self.asked = asked
        descriptor = signalfd(-1, &asked, Int32(SFD_CLOEXEC))
    }

    /// Waits for one, and answers which it was; nothing when the time is over.
    func wait(milliseconds: Int) -> Int32? {
        var asked = asked
        var limit = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
        let signal = sigtimedwait(&asked, nil, &limit)
        return signal > 0 ? signal : nil
    }

    var areWaiting: Bool { isReadable(descriptor, milliseconds: 0) }

    /// Ends the process by a signal, as whoever sent it expects.
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
