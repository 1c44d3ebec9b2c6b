// The interactive child program: a test writes to it and waits for its output.

import Foundation

/// A child process with its input and output as sockets.
///
/// Foundation's `Process` does not fit. It reports the end only after all descendants have ended, and its
/// children inherit the blocked signals of the test threads.
public final class Dialogue {
    /// The process id, valid while the program runs.
    public let process: pid_t
    private let input: Int32
    private let output: Int32
    private var unread: [UInt8] = []
    private var hasEnded = false

    /// Starts the program in the tests' environment plus `environment`. Standard error joins the output.
    public init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var (keys, screen) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &keys) == 0, socketpair(AF_UNIX, kind, 0, &screen) == 0 else {
            throw POSIXError(.EMFILE)
        }
        defer { for descriptor in [keys[1], screen[1]] { close(descriptor) } }
        (input, output) = (keys[0], screen[0])
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in [(keys[1], STDIN_FILENO), (screen[1], STDOUT_FILENO), (screen[1], STDERR_FILENO)] {
            posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var texts = ([path] + arguments).map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in texts + settings { free(text) } }
        var process = pid_t()
        let number = posix_spawn(&process, path, &actions, &attributes, &texts, &settings)
        self.process = process
        guard number == 0 else { throw POSIXError(POSIXErrorCode(rawValue: number) ?? .EINVAL) }
    }

    deinit {
        if !hasEnded, process > 0 { kill(process, SIGTERM) }
        close(input)
        close(output)
    }

    /// Sends the keys unchanged.
    public func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        // Without MSG_NOSIGNAL, SIGPIPE would end the tests if the program has already ended.
        send(input, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Closes the program's input.
    public func endInput() {
        shutdown(input, Int32(SHUT_WR))
    }

    /// Reads until `text` appears. Returns the output up to and including it, or nil if it does not come.
    public func hear(_ text: String) -> String? {
        var searched = 0
        let wanted = Array(text.utf8)
        while true {
            while searched + wanted.count <= unread.count {
                if unread[searched..<searched + wanted.count].elementsEqual(wanted) {
                    let heard = unread.prefix(searched + wanted.count)
                    unread.removeFirst(heard.count)
                    return String(decoding: heard, as: UTF8.self)
                }
                searched += 1
            }
            guard let piece = piece() else { return nil }
            unread += piece
        }
    }

    /// Reads and returns all output until the program closes it.
    public func hearAll() -> String {
        while let piece = piece() { unread += piece }
        defer { unread = [] }
        return String(decoding: unread, as: UTF8.self)
    }

    /// Returns the next output, or nil at its end or after 60 seconds of silence.
    private func piece() -> ArraySlice<UInt8>? {
        var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, Dialogue.patienceMilliseconds) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(output, &bytes, bytes.count)
        return count > 0 ? bytes.prefix(count) : nil
    }

    private static let patienceMilliseconds: Int32 = 60_000

    /// Sends a signal to the program.
    public func signal(_ number: Int32) { kill(process, number) }

    /// Waits until the program ends. Returns its exit status, or the negated number of the ending signal.
    public func exitStatus() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }
}
