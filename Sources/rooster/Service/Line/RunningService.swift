// The running service, as commands talk to it: a request, an answer.

import Alarms
import Glibc
import JSON
import Text

/// roosterd, over its control socket. It is called when the first thing is asked of it.
final class RunningService {
    let socket: String
    private let patience: Patience
    private var connection: Connection?
    /// Whoever follows waits so long for the next word; nothing while nobody does.
    private var silence: Deadline?
    /// What ends every wait when there is something to read, as a signal: none below zero.
    private let interruption: Int32

    /// Where it listens once it is installed.
    static let standardSocket = "/run/rooster/control.sock"
    /// It takes no longer requests.
    private static let requestBytesMax = 8 << 20

    init(socket: String, patience: Patience = .standard, interruption: Int32 = -1) {
        self.socket = socket
        self.patience = patience
        self.interruption = interruption
    }

    /// Where an option, else the environment says that it listens.
    convenience init(_ arguments: Arguments) {
        let named = getenv("ROOSTER_SOCKET").map { String(cString: $0) } ?? ""
        let standard = named.isEmpty ? RunningService.standardSocket : named
        self.init(socket: arguments.value("--socket") ?? standard, interruption: arguments.interruption)
    }

    /// Asks, and takes nothing but what was asked for.
    func ask(_ verb: String, _ fields: JSON.Member...) throws(Refusal) -> Answer { try ask(verb, fields) }

    func ask(_ verb: String, _ fields: [JSON.Member]) throws(Refusal) -> Answer {
        switch try reply(to: verb, fields) {
        case .done(let answer): return answer
        case .refused(let refused): throw .refused(refused.description, answer: refused.json)
        }
    }

    /// Asks for what options have said: what is wrong with it is said of these.
    func ask(_ verb: String, _ fields: JSON.Member..., naming names: OptionNames) throws(Refusal) -> Answer {
        switch try reply(to: verb, fields) {
        case .done(let answer): return answer
        case .refused(var refused):
            refused.problems = refused.problems.map(names.words)
            throw .refused(refused.description, answer: refused.json)
        }
    }

    /// Asks; a refusal is an answer too.
    func reply(to verb: String, _ fields: [JSON.Member]) throws(Refusal) -> Reply {
        try send(verb, fields)
        guard let line = try next(before: Deadline(in: patience.answerMilliseconds)) else { throw words(.late) }
        return try Reply(line)
    }

    /// Asks for what takes its owner a while; `reply(within:)` gives what comes of it.
    func begin(_ verb: String, _ fields: [JSON.Member]) throws(Refusal) { try send(verb, fields) }

    /// What has come of it; nil when nothing has within so long.
    func reply(within milliseconds: Int) throws(Refusal) -> Reply? {
        guard let line = try next(before: Deadline(in: milliseconds)) else { return nil }
        return try Reply(line)
    }

    /// Whether one runs; who may not talk to it, or finds it too busy, is told so.
    func isRunning() throws(Refusal) -> Bool {
        do throws(ConnectionError) {
            if connection == nil { connection = try called() }
            return true
        } catch .notRunning {
            return false
        } catch {
            throw words(error)
        }
    }

    /// Begins to follow: from then on `nextFollowed` gives what it says.
    func follow() throws(Refusal) {
        try send("follow", [])
        silence = Deadline(in: patience.answerMilliseconds)
    }

    /// The next thing that it says of itself; nothing when it says nothing for so long. It says something each second: when
    /// it has not for as long as an answer may take, it is waited for no more.
    func nextFollowed(within milliseconds: Int? = nil) throws(Refusal) -> Answer? {
        let silence = silence ?? Deadline(in: patience.answerMilliseconds)
        guard let line = try next(before: milliseconds.map { Deadline(in: $0) } ?? silence) else {
            guard silence.millisecondsLeft > 0 else { throw words(.late) }
            return nil
        }
        self.silence = Deadline(in: patience.answerMilliseconds)
        switch try Reply(line) {
        case .done(let answer): return answer
        case .refused(let refused): throw .refused(refused.description, answer: refused.json)
        }
    }

    /// Where what it says arrives: none, which nothing ever comes from, until it is called.
    var descriptor: Int32 { connection?.descriptor ?? -1 }

    private func send(_ verb: String, _ fields: [JSON.Member]) throws(Refusal) {
        let line = JSON.object([.init("do", .string(verb))] + fields).description
        guard line.utf8.count < RunningService.requestBytesMax else {
            throw .refused(
                "this is more than roosterd takes at once (\(RunningService.requestBytesMax >> 20) MiB): make several files "
                    + "of it, with some of the alarms in each")
        }
        do throws(ConnectionError) {
            let open = if let connection { connection } else { try called() }
            connection = open
            try open.send(line, before: Deadline(in: patience.answerMilliseconds))
        } catch {
            throw words(error)
        }
    }

    private func called() throws(ConnectionError) -> Connection {
        try Connection(to: socket, patience: patience, interruption: interruption)
    }

    private func next(before deadline: Deadline) throws(Refusal) -> [UInt8]? {
        do throws(ConnectionError) {
            return try connection?.receive(before: deadline)
        } catch {
            throw words(error)
        }
    }

    /// What went wrong, and what to do about it.
    private func words(_ error: ConnectionError) -> Refusal {
        let reason =
            switch error {
            case .notRunning:
                "roosterd is not running: nothing listens at \(socket.asSentence); "
                    + (socket == RunningService.standardSocket
                        ? "start it with 'sudo systemctl start rooster' ('systemctl status rooster' says what keeps it from "
                            + "starting), or try it out with 'roosterd --simulate'"
                        : "start it with 'roosterd --socket' and this path, or leave --socket and ROOSTER_SOCKET out")
            case .notAllowed: "you may not talk to roosterd: \(SocketOwner(socket).advice(for: RunningService.user))"
            case .busy: "roosterd has no time: too many others talk to it; try again"
            case .late where silence != nil:
                "roosterd does not answer: try again, and look at 'journalctl -u rooster' if it goes on"
            case .late:
                "roosterd does not answer; whether it has done this, 'rooster status' and 'rooster list' show: try "
                    + "again, and look at 'journalctl -u rooster' if it goes on"
            case .interrupted:
                "it was not waited for roosterd's answer; whether it has done this, 'rooster status' and 'rooster list' show"
            case .closed where silence != nil: "roosterd has ended, or begins anew: ask again with 'rooster status'"
            case .closed:
                "roosterd ended the call before it had answered; whether it has done this, 'rooster status' and "
                    + "'rooster list' show"
            case .tooLong: "what answers at \(socket.asSentence) is not roosterd: its answer has no end"
            case .badPath: "\(socket.quoted) cannot be the path of a socket"
            case .system(let number): "\(socket.asSentence): \(String(cString: strerror(number)))"
            }
        return .refused(reason)
    }

    private static var user: String {
        getenv("USER").map { String(cString: $0).inOneLine } ?? "$USER"
    }
}
