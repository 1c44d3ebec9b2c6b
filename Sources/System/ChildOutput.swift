// Reads the standard output of a child process, with a bound and a timeout.

import CLinux
import Glibc

package enum ChildOutput {
    package enum Failure: Error {
        case notStarted(errorNumber: Int32)
        case late, tooLong, failed
    }

    /// Runs a program to its end. The program shares this process's standard error, and its standard input unless
    /// `input` replaces that.
    package static func read(
        _ command: [String], input: [UInt8]? = nil, bytesMax: Int, seconds: Int
    ) throws(Failure) -> [UInt8] {
        let given = try input.map(file)
        defer { if let given { close(given) } }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(errorNumber: errno) }
        let output = ends[0]
        defer { close(output) }
        let child = try start(command, input: given, output: ends[1])
        let answer: [UInt8]
        do throws(Failure) {
            answer = try bytes(from: output, bytesMax: bytesMax, seconds: seconds)
        } catch {
            kill(child, SIGKILL)
            _ = exitStatus(of: child)
            throw error
        }
        guard exitStatus(of: child) == 0 else { throw .failed }
        return answer
    }

    /// Returns a file in memory with these bytes. Unlike a pipe, it takes them all before the child reads.
    private static func file(_ bytes: [UInt8]) throws(Failure) -> Int32 {
        let descriptor = linux_memory_file()
        guard descriptor >= 0 else { throw .notStarted(errorNumber: errno) }
        guard write(descriptor, bytes, bytes.count) == bytes.count, lseek(descriptor, 0, SEEK_SET) == 0 else {
            let number = errno
            close(descriptor)
            throw .notStarted(errorNumber: number)
        }
        return descriptor
    }

    /// Closes `output`: with this copy open, the end of the child's output would never be read.
    private static func start(_ command: [String], input: Int32?, output: Int32) throws(Failure) -> pid_t {
        defer { close(output) }
        let arguments = command.map { strdup($0) } + [nil]
        defer { for word in arguments { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var child = pid_t()
        let number = posix_spawn(&child, command[0], &actions, nil, arguments, environ)
        guard number == 0 else { throw .notStarted(errorNumber: number) }
        return child
    }

    private static func bytes(from output: Int32, bytesMax: Int, seconds: Int) throws(Failure) -> [UInt8] {
        let end = Uptime.milliseconds + seconds * 1000
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let left = end - Uptime.milliseconds, left > 0 {
            var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, Int32(left)) > 0 else { continue }
            let count = Glibc.read(output, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= bytesMax else { throw .tooLong }
        }
        throw .late
    }

    private static func exitStatus(of child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
