// Starts a roosterd to try sounds and speakers, where none runs.

import API
import CLinux
import Glibc

/// `roosterd --only-sound`, at a socket in a directory of its own. The child ends on `end()`, or when this process is gone.
struct StartedService {
    let service: RunningService
    private let process: Process

    /// The timeouts until the child listens, and until it has put mixers back and exited.
    private static let startMilliseconds = 10_000
    private static let endMilliseconds = 6000
    private static let stepMilliseconds = 20

    /// Starts the child and waits until it listens. Each wait for it ends once `interruption` is readable.
    init(_ arguments: CommandArguments, interruption: Int32 = -1) throws(CommandError) {
        var words = ["--only-sound", "--state", StateDirectory.path]
        for option in ["--config", "--speaker", "--sounds"] {
            if let value = arguments.value(option) { words += [option, value] }
        }
        process = try Process(words)
        service = RunningService(socket: process.socket, interruption: interruption)
        let deadline = Deadline(in: StartedService.startMilliseconds)
        do throws(CommandError) {
            while try !service.isRunning() {
                guard process.hear(milliseconds: StartedService.stepMilliseconds), deadline.millisecondsLeft > 0 else {
                    throw .refused(
                        process.lastWords ?? "roosterd does not start: is it of the same version as this rooster?")
                }
                guard interruption < 0 || !isReadable(interruption, milliseconds: 0) else {
                    throw .refused("interrupted")
                }
            }
        } catch {
            end()
            throw error
        }
    }

    func sayWhatItTells() {
        _ = process.hear(milliseconds: 0)
        process.say()
    }

    /// Ends the child and waits until it has exited: it puts back the mixers that it has changed.
    func end() {
        process.end(milliseconds: StartedService.endMilliseconds)
    }

    private final class Process {
        let socket: String
        private let directory: String
        /// The child's standard error arrives here. The child ends when this descriptor is closed or shut down.
        private let line: Int32
        private let id: pid_t
        private var told: [UInt8] = []

        init(_ words: [String]) throws(CommandError) {
            let program = try programPath("roosterd", in: "/usr/sbin")
            var template = Array("/tmp/rooster-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw .refused("/tmp: \(String(cString: strerror(errno)))") }
            directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            socket = "\(directory)/control.sock"
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            var (number, id) = (Int32(0), pid_t())
            if socketpair(AF_UNIX, kind, 0, &ends) == 0 {
                let arguments = ([program, "--socket", socket] + words).map { strdup($0) } + [nil]
                number = linux_start_program(program, arguments, ends[1], &id)
                for word in arguments { free(word) }
                close(ends[1])
            } else {
                number = errno
            }
            (line, self.id) = (ends[0], id)
            guard number == 0 else {
                close(line)
                rmdir(directory)
                throw .refused("\(program): \(String(cString: strerror(number)))")
            }
        }

        /// Reads the child's standard error for so long; false once the child has closed it.
        func hear(milliseconds: Int) -> Bool {
            var milliseconds = milliseconds
            while isReadable(line, milliseconds: milliseconds) {
                var chunk = [UInt8](repeating: 0, count: 1 << 12)
                let count = recv(line, &chunk, chunk.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return count < 0 && [EAGAIN, EINTR].contains(errno) }
                told += chunk.prefix(count)
                milliseconds = 0
            }
            return true
        }

        /// Takes the last line of the child's standard error, which says why it did not start: `say()` does not print it again.
        var lastWords: String? {
            guard let last = told.split(separator: UInt8(ascii: "\n")).last else { return nil }
            told.removeLast(min(told.count, last.count + 1))
            let words = StartedService.words(last)
            return words.hasPrefix("error: ") ? String(words.dropFirst(7)) : words
        }

        /// Prints the child's complete lines as this program's own.
        func say() {
            guard let end = told.lastIndex(of: UInt8(ascii: "\n")) else { return }
            for line in told[...end].split(separator: UInt8(ascii: "\n")) {
                complain("rooster: \(StartedService.words(line))")
            }
            told.removeSubrange(...end)
        }

        func end(milliseconds: Int) {
            shutdown(line, Int32(SHUT_WR))
            let deadline = Deadline(in: milliseconds)
            while hear(milliseconds: deadline.millisecondsLeft), deadline.millisecondsLeft > 0 {}
            let isLate = deadline.millisecondsLeft == 0
            if isLate { kill(id, SIGKILL) }
            // A child that hangs in the kernel is not waited for.
            while waitpid(id, nil, isLate ? WNOHANG : 0) < 0, errno == EINTR {}
            close(line)
            unlink(socket)
            rmdir(directory)
            say()
            if isLate {
                complain("rooster: the volume may still be as for the test: the next 'rooster sound test' puts it back")
            }
        }
    }

    private static func words(_ line: ArraySlice<UInt8>) -> String {
        let text = String(decoding: line, as: UTF8.self)
        return (text.hasPrefix("roosterd: ") ? String(text.dropFirst(10)) : text).asSentence
    }
}

extension ServiceCall {
    /// Asks the running service, else one that is started for this request.
    func askForSound<Filled: Form>(_ form: Filled) throws(CommandError) -> Done<Filled.Answer> {
        if try service.isRunning() {
            try refuseWhatOnlyAStartedOneDoes()
            return try service.ask(form)
        }
        // Blocks the signals before any thread starts: the child has to be ended before this process.
        let signals = StopSignals()
        defer { if let signal = signals.wait(milliseconds: 0) { signals.end(by: signal) } }
        let started = try StartedService(arguments, interruption: signals.descriptor)
        defer { started.end() }
        return try started.service.ask(form)
    }

    func refuseWhatOnlyAStartedOneDoes() throws(CommandError) {
        guard arguments.value("--speaker") == nil, arguments.value("--sounds") == nil else {
            throw .refused(
                "roosterd runs, and plays as its configuration says: leave out --speaker and --sounds, or stop it first "
                    + "('sudo systemctl stop rooster'; no alarm rings then)")
        }
    }
}
