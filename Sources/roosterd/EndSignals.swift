// The signals that end the program.

import Glibc

/// SIGTERM, SIGINT and SIGHUP, kept from every thread that is started after this, until somebody waits for them. Where
/// whoever has started this wants it to outlive a hang-up, as nohup(1) does, SIGHUP is none of them.
struct EndSignals {
    private var signals = sigset_t()

    init() {
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        // One that is ignored would be heard of all the same by whoever waits for it.
        if !EndSignals.isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A client that is gone is told by the write's own answer.
        signal(SIGPIPE, SIG_IGN)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // A function cannot be compared, but its address.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    func wait() {
        var (signals, number) = (signals, Int32(0))
        sigwait(&signals, &number)
    }

    /// Waits for one of them so long at most; whether it came.
    func wait(seconds: Int) -> Bool {
        var signals = signals
        var timeout = timespec(tv_sec: seconds, tv_nsec: 0)
        return sigtimedwait(&signals, nil, &timeout) > 0
    }
}
