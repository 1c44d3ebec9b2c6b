// The running service as commands use it: a request, an answer.

import API
import Glibc
import JSON
import Text

/// roosterd, over its control socket. The first request opens the connection.
final class RunningService {
    let socket: String
    private let timeouts: Timeouts
    private var connection: ServiceConnection?
    private var isFollowing = false
    private var hasBeenTold = false
    /// A descriptor that ends every wait once it is readable, as on a signal; negative for none.
    private let interruption: Int32

    static let standardSocket = "/run/rooster/control.sock"
    /// roosterd refuses longer requests.
    private static let requestBytesMax = 8 << 20

    init(socket: String, timeouts: Timeouts = Timeouts(), interruption: Int32 = -1) {
        (self.socket, self.timeouts, self.interruption) = (socket, timeouts, interruption)
    }

    /// At the socket that `--socket` names, else ROOSTER_SOCKET, else the standard one.
    convenience init(_ arguments: CommandArguments) {
        let named = getenv("ROOSTER_SOCKET").map { String(cString: $0) } ?? ""
        let standard = named.isEmpty ? RunningService.standardSocket : named
        self.init(socket: arguments.value("--socket") ?? standard, interruption: arguments.interruption)
    }

    /// Sends a request and returns its answer; throws a refusal, whose problems `names` words by the options that were typed.
    func ask<Sent: Request>(
        _ request: Sent, ifRing ring: RingReference? = nil, naming names: OptionNames? = nil
    ) throws(CommandError) -> SuccessResponse<Sent.Response> {
        switch try reply(to: request, ifRing: ring) {
        case .success(let response): return response
        case .failure(let error): throw .refused(error.words(names), answer: error.forScripts)
        }
    }

    /// Sends a request and returns its answer, which may be a refusal.
    func reply<Sent: Request>(
        to request: Sent, ifRing ring: RingReference? = nil
    ) throws(CommandError) -> ResponseEnvelope<Sent.Response> {
        try send(RequestEnvelope(request, ifRing: ring))
        guard let line = try next(before: Deadline(in: timeouts.answerMilliseconds)) else { throw words(.late) }
        return try RunningService.read(line)
    }

    /// Sends a request whose answer has to wait for the owner; `reply(within:)` returns the answer.
    func begin(_ request: some Request) throws(CommandError) { try send(RequestEnvelope(request)) }

    /// The answer to `begin`; nil after the timeout.
    func reply<Body>(within milliseconds: Int) throws(CommandError) -> ResponseEnvelope<Body>? {
        guard let line = try next(before: Deadline(in: milliseconds)) else { return nil }
        return try RunningService.read(line)
    }

    private static func read<Body>(_ line: [UInt8]) throws(CommandError) -> ResponseEnvelope<Body> {
        do {
            return try ResponseEnvelope(JSON(parsing: line))
        } catch {
            throw .refused(
                "roosterd's answer is not understood (\(error)): are it and this rooster of the same version?")
        }
    }

    /// Subscribes to the status: `nextFollowed` returns its events.
    func follow() throws(CommandError) {
        try send(RequestEnvelope(Follow(topics: [.status])))
        (isFollowing, hasBeenTold) = (true, false)
    }

    /// The next event; nil after `milliseconds`. Without it only the first event has a timeout: later ones may take hours.
    func nextFollowed(within milliseconds: Int? = nil) throws(CommandError) -> SuccessResponse<FollowEvent>? {
        var line: [UInt8]?
        repeat {
            line = try next(before: Deadline(in: milliseconds ?? timeouts.answerMilliseconds))
        } while line == nil && milliseconds == nil && hasBeenTold
        guard let line else {
            guard milliseconds != nil else { throw words(.late) }
            return nil
        }
        hasBeenTold = true
        switch try RunningService.read(line) as ResponseEnvelope<FollowEvent> {
        case .success(let event): return event
        case .failure(let error): throw .refused(error.words(), answer: error.forScripts)
        }
    }

    /// The descriptor of the connection, to be polled; negative before the first request.
    var descriptor: Int32 { connection?.descriptor ?? -1 }

    private func send(_ request: RequestEnvelope) throws(CommandError) {
        let line = request.json.description
        guard line.utf8.count < RunningService.requestBytesMax else {
            throw .refused(
                "this is more than roosterd takes at once (\(RunningService.requestBytesMax >> 20) MiB): make several files "
                    + "of it, with some of the alarms in each")
        }
        do throws(ConnectionError) {
            let open = if let connection { connection } else { try called() }
            connection = open
            try open.send(line, before: Deadline(in: timeouts.answerMilliseconds))
        } catch {
            throw words(error)
        }
    }

    private func called() throws(ConnectionError) -> ServiceConnection {
        try ServiceConnection(to: socket, timeouts: timeouts, interruption: interruption)
    }

    private func next(before deadline: Deadline) throws(CommandError) -> [UInt8]? {
        do throws(ConnectionError) {
            return try connection?.receive(before: deadline)
        } catch {
            throw words(error)
        }
    }

    private func words(_ error: ConnectionError) -> CommandError {
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
            case .late where isFollowing:
                "roosterd does not answer: try again, and look at 'journalctl -u rooster' if it goes on"
            case .late:
                "roosterd does not answer; whether it has done this, 'rooster status' and 'rooster list' show: try "
                    + "again, and look at 'journalctl -u rooster' if it goes on"
            case .interrupted:
                "it was not waited for roosterd's answer; whether it has done this, 'rooster status' and 'rooster list' show"
            case .closed where isFollowing: "roosterd has ended, or begins anew: ask again with 'rooster status'"
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
