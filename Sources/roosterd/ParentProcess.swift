// The process that has started `roosterd --only-sound`, which ends with it.

import Glibc
import Loop

/// The process that holds the other end of the socket that `linux_start_program` hands down.
enum ParentProcess {
    private static let line: Int32 = 3

    /// Writes errors to the parent; when its end is closed, SIGTERM, which is to be blocked before, ends this process.
    static func follow() throws(StartError) {
        dup2(line, STDERR_FILENO)
        // The supervisor in the environment is the parent's.
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC"] { unsetenv(name) }
        do throws(LoopError) {
            try startThread(named: "parent") {
                var byte: UInt8 = 0
                while read(line, &byte, 1) > 0 {}
                kill(getpid(), SIGTERM)
            }
        } catch {
            throw StartError("\(error)")
        }
    }
}
