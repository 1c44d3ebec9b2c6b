// The running service as commands use it: one request, one answer.

import API
import Glibc
import JSON
import Text

/// The connection to roosterd over its control socket. The first request opens it.
final class RunningService {
    let socket: String
    private let timeouts: Timeouts
    private var connection: ServiceConnection?
    private var isFollowing = false
    private var hasBeenTold = false
    /// A descriptor that ends every wait when it becomes readable, for instance on a signal; negative for
    /// none.
    private let interruption: Int32

    static let standardSocket = "/run/rooster/control.sock"
    /// The bound on a request. roosterd refuses a longer one.
    private static let requestBytesMax = 8 << 20

    init(socket: String, timeouts: Timeouts = Timeouts(), interruption: Int32 = -1) {
        (self.socket, self.timeouts, self.interruption) = (socket, timeouts, interruption)
    }

    /// Uses the socket that `--socket` names, otherwise that of ROOSTER_SOCKET, otherwise the standard one.
    convenience init(_ arguments: CommandArguments) {
        let named = getenv("ROOSTER_SOCKET").map { String(cString: $0) } ?? ""
        let standard = named.isEmpty ? RunningService.standardSocket : named
        self.init(socket: arguments.value("--socket") ?? standard, interruption: arguments.interruption)
    }

    /// Sends a request and returns its answer. Throws a refusal, in which `names` replaces fields by the
    /// options that the user typed.
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
        try begin(request, ifRing: ring)
        guard let reply: ResponseEnvelope<Sent.Response> = try reply(within: timeouts.answerMilliseconds) else {
            throw words(.late)
        }
        return reply
    }

    /// Sends a request. The caller then calls `reply(within:)` for the answer.
    func begin(_ request: some Request, ifRing ring: RingReference? = nil) throws(CommandError) {
        var envelope = RequestEnvelope(request)
        envelope.ifRing = ring
        let line = envelope.json.description
        guard line.utf8.count < RunningService.requestBytesMax else {
            throw .refused(
                "this is more than roosterd takes at once (\(RunningService.requestBytesMax >> 20) MiB): make several files "
                    + "of it, with some of the alarms in each")
        }
        do throws(ConnectionError) {
            if connection == nil {
                connection = try ServiceConnection(to: socket, timeouts: timeouts, interruption: interruption)
            }
            try connection?.send(line, before: Deadline(in: timeouts.answerMilliseconds))
        } catch {
            throw words(error)
        }
    }

    /// Returns the answer to `begin`, or the next event; nil after the timeout.
    func reply<Body>(within milliseconds: Int) throws(CommandError) -> ResponseEnvelope<Body>? {
        let line: [UInt8]?
        do throws(ConnectionError) {
            line = try connection?.receive(before: Deadline(in: milliseconds))
        } catch {
            throw words(error)
        }
        do {
            return try line.map { try ResponseEnvelope(JSON(parsing: $0)) }
        } catch {
            throw .refused(
                "roosterd's answer is not understood (\(error)): are it and this rooster of the same version?")
        }
    }

    /// Subscribes to the status. The caller then calls `nextFollowed` for each event.
    func follow() throws(CommandError) {
        try begin(Follow(topics: [.status]))
        isFollowing = true
        hasBeenTold = false
    }

    /// Returns the next event, or nil after `milliseconds`. Without that argument only the first event has
    /// a timeout, because later ones may take hours.
    func nextFollowed(within milliseconds: Int? = nil) throws(CommandError) -> SuccessResponse<FollowEvent>? {
        var event: ResponseEnvelope<FollowEvent>?
        repeat {
            event = try reply(within: milliseconds ?? timeouts.answerMilliseconds)
        } while event == nil && milliseconds == nil && hasBeenTold
        guard event != nil || milliseconds != nil else { throw words(.late) }
        hasBeenTold = hasBeenTold || event != nil
        switch event {
        case .success(let event)?: return event
        case .failure(let error)?: throw .refused(error.words(), answer: error.forScripts)
        case nil: return nil
        }
    }

    /// The descriptor of the connection, for poll; negative before the first request.
    var descriptor: Int32 { connection?.descriptor ?? -1 }

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
