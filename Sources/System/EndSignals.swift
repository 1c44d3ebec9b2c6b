// The signals that end the program.

import Glibc

/// SIGTERM, SIGINT and SIGHUP, blocked in this thread and in every thread that it starts, until `wait`. If
/// the parent process ignores SIGHUP, as nohup(1) does, SIGHUP is left out.
package struct EndSignals: Sendable {
    private var signals = sigset_t()

    package init() {
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        // sigwait(3) would return even an ignored signal.
        if !EndSignals.isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A write to a client that has gone then fails with EPIPE.
        signal(SIGPIPE, SIG_IGN)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Swift cannot compare functions, so this compares addresses.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    package func wait() {
        var (signals, number) = (signals, Int32(0))
        sigwait(&signals, &number)
    }

    /// Waits up to `seconds` for one of the signals. Returns whether one came.
    package func wait(seconds: Int) -> Bool {
        var signals = signals
        var timeout = timespec(tv_sec: seconds, tv_nsec: 0)
        return sigtimedwait(&signals, nil, &timeout) > 0
    }
}
