// The camera's helper as a child process: started, killed and waited for.

import CLinux
import EventLoop
import Glibc
import Synchronization
import System

/// A child process with the thread that starts it: starting reads a disk, which must not delay a ring. The
/// kernel kills the child when that thread ends, so no camera is read for a service that has died.
final class HelperProcess: Sendable {
    private enum Standing {
        case starting
        /// `kill` was called before the process existed.
        case unwanted
        case running(Int32)
        case ended
    }

    private let standing = Mutex(Standing.starting)

    private init() {}

    /// Starts a program with the given end of the socket, which this method closes. The callback is called
    /// once, on the loop. Its text follows "the camera's helper program".
    static func start(
        _ program: String, _ arguments: [String], socket: Int32, on loop: EventLoop,
        ended callback: @escaping @Sendable (String) -> Void
    ) -> HelperProcess {
        let process = HelperProcess()
        do throws(SystemCallError) {
            try startThread(named: "rooster-camera") {
                let reason = process.run(program, arguments, socket)
                Task(executorPreference: loop) { callback(reason) }
            }
        } catch {
            close(socket)
            Task(executorPreference: loop) { callback("does not start (\(error))") }
        }
        return process
    }

    /// Kills the process. The callback reports its end.
    func kill() {
        standing.withLock { standing in
            switch standing {
            case .starting: standing = .unwanted
            case .running(let process): _ = Glibc.kill(process, SIGKILL)
            case .unwanted, .ended: break
            }
        }
    }

    private func run(_ program: String, _ arguments: [String], _ socket: Int32) -> String {
        var texts = ([program] + arguments).map { strdup($0) } + [nil]
        var process: Int32 = 0
        let failure = linux_start_program(program, &texts, socket, &process)
        for text in texts { free(text) }
        close(socket)
        guard failure == 0 else { return "does not start (\(String(cString: strerror(failure))))" }
        standing.withLock { standing in
            if case .unwanted = standing { _ = Glibc.kill(process, SIGKILL) }
            standing = .running(process)
        }
        // Waits without reaping: the process ID must not be reused while `kill` may still signal it.
        _ = linux_await_end(process)
        var status: Int32 = 0
        standing.withLock { standing in
            standing = .ended
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        return HelperProcess.reason(status: status)
    }

    private static func reason(status: Int32) -> String {
        let signal = status & 0x7F
        switch signal {
        case 0:
            let code = status >> 8 & 0xFF
            return code == 0 ? "has ended" : "has ended with exit status \(code)"
        case SIGKILL: return "was killed"
        case SIGSYS: return "was killed after a forbidden system call"
        case SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP, SIGFPE: return "has crashed (signal \(signal))"
        default: return "was killed by signal \(signal)"
        }
    }
}
