// A child process of the benchmark.

import Glibc
import System

/// A running program. It is killed when its owner is released.
final class ChildProcess {
    let id: pid_t
    /// The boot clock's time right before the start.
    let startNanoseconds: Int
    private var isOver = false

    /// Starts a program. Its output is discarded, and its errors go to the file `errors`.
    init(_ command: [String], environment: [String: String], errors: String) throws {
        let arguments = command.map { strdup($0) } + [nil]
        let variables = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        let environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var process = pid_t()
        startNanoseconds = bootNanoseconds()
        let failure = posix_spawn(&process, command[0], &actions, nil, arguments, environment)
        id = process
        guard failure == 0 else {
            isOver = true
            throw BenchmarkRefusal.wrongAnswer("cannot start \(command[0]): \(String(cString: strerror(failure)))")
        }
    }

    deinit {
        kill()
    }

    /// Kills the process without a chance to clean up, as a power cut does.
    func kill() {
        guard !isOver else { return }
        Glibc.kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isOver = true
    }

    /// Returns the path of a program or library that was built beside this one.
    static func built(_ name: String) throws -> String {
        guard let path = builtProgram(name) else {
            throw BenchmarkRefusal.wrongAnswer("there is no \(name): 'swift build -c release' builds everything")
        }
        return path
    }
}
