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
    private var hasReceivedEvent = false
    /// The number of times that a follower has connected again.
    private(set) var connectionCount = 0
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

    /// True for the service that systemd runs.
    var isStandard: Bool { socket == RunningService.standardSocket }

    /// Sends a request and returns its answer. Throws a refusal, in which `names` replaces fields by the
    /// options that the user typed.
    func ask<Sent: Request>(
        _ request: Sent, ifRing ring: RingReference? = nil, naming names: OptionNames? = nil
    ) throws(CommandError) -> SuccessResponse<Sent.Response> {
        switch try reply(to: request, ifRing: ring) {
        case .success(let response): return response
        case .failure(let error): throw .refused(error.text(names), answer: error.forScripts)
        }
    }

    /// Sends a request and returns its answer, which may be a refusal.
    func reply<Sent: Request>(
        to request: Sent, ifRing ring: RingReference? = nil
    ) throws(CommandError) -> ResponseEnvelope<Sent.Response> {
        try begin(request, ifRing: ring)
        guard let reply: ResponseEnvelope<Sent.Response> = try reply(within: timeouts.answerMilliseconds) else {
            throw failure(.late)
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
                sentences(
                    "This is more than the service accepts at once (\(RunningService.requestBytesMax >> 20) MiB)",
                    "Split the file into several with some alarms each"))
        }
        do throws(ConnectionError) {
            if connection == nil {
                connection = try ServiceConnection(to: socket, timeouts: timeouts, interruption: interruption)
            }
            try connection?.send(line, before: CallDeadline(in: timeouts.answerMilliseconds))
        } catch {
            throw failure(error)
        }
    }

    /// Returns the answer to `begin`, or the next event; nil after the timeout.
    func reply<Body>(within milliseconds: Int) throws(CommandError) -> ResponseEnvelope<Body>? {
        let line: [UInt8]?
        do throws(ConnectionError) {
            line = try connection?.receive(before: CallDeadline(in: milliseconds))
        } catch {
            throw failure(error)
        }
        do {
            return try line.map { try ResponseEnvelope(JSON(parsing: $0)) }
        } catch {
            throw .refused(
                sentences(
                    "The answer of the service is not understood (\(error))",
                    "Compare 'rooster --version' with 'roosterd --version'"))
        }
    }

    /// Subscribes to the status. The caller then calls `nextFollowed` for each event.
    func follow() throws(CommandError) {
        try begin(Follow(topics: [.status]))
        isFollowing = true
        hasReceivedEvent = false
    }

    /// Connects again and follows. Returns false if the service does not run yet.
    func followAgain() throws(CommandError) -> Bool {
        connection = nil
        do throws(CommandError) {
            try follow()
            connectionCount += 1
            return true
        } catch {
            guard case .disconnected = error else { throw error }
            return false
        }
    }

    /// True if the user has not read yet that the connection of a follower is lost.
    var isLossNews: Bool { hasReceivedEvent || connectionCount == 0 }

    /// The interval at which a follower looks for a service that has stopped.
    static let searchMilliseconds = 500

    /// Returns the next event, or nil after `milliseconds`. Without that argument only the first event has
    /// a timeout, because later ones may take hours.
    func nextFollowed(within milliseconds: Int? = nil) throws(CommandError) -> SuccessResponse<FollowEvent>? {
        var event: ResponseEnvelope<FollowEvent>?
        repeat {
            event = try reply(within: milliseconds ?? timeouts.answerMilliseconds)
        } while event == nil && milliseconds == nil && hasReceivedEvent
        guard event != nil || milliseconds != nil else { throw failure(.late) }
        hasReceivedEvent = hasReceivedEvent || event != nil
        switch event {
        case .success(let event)?: return event
        case .failure(let error)?: throw .refused(error.text(), answer: error.forScripts)
        case nil: return nil
        }
    }

    /// The descriptor of the connection, for poll; negative before the first request.
    var descriptor: Int32 { connection?.descriptor ?? -1 }

    private func failure(_ error: ConnectionError) -> CommandError {
        if isFollowing, [.closed, .notRunning, .busy].contains(error) {
            return .disconnected("The service has stopped or is restarting")
        }
        let whetherDone = "'rooster status' and 'rooster list' show whether this was done"
        let log = "'journalctl -u rooster' may show why"
        let start =
            isStandard
            ? "Start it with 'sudo systemctl start rooster' ('systemctl status rooster' shows why it does not start), or "
                + "try 'roosterd --simulate'"
            : "Start it with 'roosterd --socket' and this path, or leave out --socket and ROOSTER_SOCKET"
        let reason =
            switch error {
            case .notRunning: sentences("The service is not running: nothing listens at \(socket.asSentence)", start)
            case .notAllowed:
                sentences("You may not use the service", SocketOwner(socket).advice(for: RunningService.user))
            case .busy: sentences("The service has too many clients", "Try again")
            case .late where isFollowing: sentences("The service does not answer", "Try again", log)
            case .late: sentences("The service does not answer", whetherDone, log)
            case .interrupted: sentences("Interrupted before the service answered", whetherDone)
            case .closed: sentences("The service ended before it answered", whetherDone)
            case .tooLong: "\(socket.asSentence) is not the socket of a Rooster: its answer does not end"
            case .badPath: "\(socket.quoted) cannot be the path of a socket"
            case .system(let number): "\(socket.asSentence) cannot be reached: \(systemText(number))"
            }
        return .refused(reason)
    }

    private static var user: String {
        getenv("USER").map { String(cString: $0).inOneLine } ?? "$USER"
    }
}
