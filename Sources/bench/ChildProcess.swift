// Another program, started by this one.

import Glibc
import System

/// A process; it is killed with its owner.
final class ChildProcess {
    let id: pid_t
    /// When it was started, by the clock that nobody sets.
    let startNanoseconds: Int
    private var isOver = false

    /// Starts a program with these words and this environment. Its output is dropped; its errors go to that file.
    init(_ words: [String], environment: [String: String], errors: String) throws {
        let arguments = words.map { strdup($0) } + [nil]
        let variables = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        let environment = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + environment { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var process = pid_t()
        startNanoseconds = bootNanoseconds()
        let failure = posix_spawn(&process, words[0], &actions, nil, arguments, environment)
        id = process
        guard failure == 0 else {
            isOver = true
            throw BenchmarkRefusal.wrongAnswer("cannot start \(words[0]): \(String(cString: strerror(failure)))")
        }
    }

    deinit {
        kill()
    }

    /// As a power cut does: without a word.
    func kill() {
        guard !isOver else { return }
        Glibc.kill(id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isOver = true
    }

    /// What was built beside this program.
    static func built(_ name: String) throws -> String {
        guard let path = builtProgram(name) else {
            throw BenchmarkRefusal.wrongAnswer("\(name) is not there: 'swift build -c release' builds it with all else")
        }
        return path
    }
}
