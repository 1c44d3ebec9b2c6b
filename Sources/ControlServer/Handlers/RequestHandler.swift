// The protocols of request handlers, and the router that calls them.

import API
import Alarms
import CivilTime
import Clients
import Devices
import Engine
import EventLoop
import JSON
import Service
import Sound
import Text

/// A request that the control server handles. The compiler checks the response type. A test compares the
/// handlers with the table of requests.
protocol RequestHandler: Request {
    /// Sends the response at once, or when its change is durable. Responses to changes keep the order of
    /// the changes. A long response, or one that needs a disk, does not delay others.
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>)
}

typealias Completion<Body: Codable & Sendable> = @Sendable (ResponseEnvelope<Body>) -> Void

/// The header of a request, its sender, and the device's simulation, if any.
struct HandlerContext: Sendable {
    var header: RequestHeader
    /// The simulated hardware that a client may change; nil for real hardware.
    var simulation: (any SimulationControl)?
    /// The paired client over HTTP that sent the request; nil for a program of this machine, or without a token.
    var client: PairedClient?
    let secrets: ClientSecrets
}

/// A request that changes nothing and uses no device.
protocol Query: RequestHandler {
    /// True if a response can be long. Another thread then makes it, because encoding a thousand alarms
    /// would delay a ring.
    var isLong: Bool { get }
    func response(from engine: Engine) throws(ErrorResponse) -> Response
}

extension Query {
    var isLong: Bool { false }

    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        send(envelope(from: service.engineNow))
    }

    fileprivate func line(from engine: Engine) -> String { envelope(from: engine).json.description }

    private func envelope(from engine: Engine) -> ResponseEnvelope<Response> {
        do throws(ErrorResponse) {
            return .success(SuccessResponse(try response(from: engine)))
        } catch {
            return .failure(error)
        }
    }
}

/// The name of a sound, and the path of the field that contains it.
typealias NamedSound = (path: String, sound: String)

/// A request that becomes a command for the engine.
protocol Mutation: RequestHandler {
    /// Returns the command, and the problems of the request that do not prevent it.
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem])
    /// Returns the same, for a command that depends on the request's header.
    func command(of header: RequestHeader, at service: isolated Service) throws(ErrorResponse) -> (
        command: Command, problems: [Problem]
    )
    func ask(
        _ command: Command, _ header: RequestHeader, at service: isolated Service,
        then answer: @escaping Service.ReplyHandler)
    func response(to outcome: Outcome, at service: isolated Service) -> Response
    /// Adds to an error the details that the client needs to continue.
    func completed(_ error: ErrorResponse, of header: RequestHeader, at service: isolated Service) -> ErrorResponse
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem]
    /// Returns the warning that a restart would undo this outcome; nil if it would not.
    func warning(ifUnwritten outcome: Outcome) -> String?
    /// Returns the sounds that this change may play later. The owner is warned of those that cannot be
    /// played.
    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [NamedSound]
}

extension Mutation {
    func command(of header: RequestHeader, at service: isolated Service) throws(ErrorResponse) -> (
        command: Command, problems: [Problem]
    ) { try command(at: service) }

    func ask(
        _ command: Command, _ header: RequestHeader, at service: isolated Service,
        then answer: @escaping Service.ReplyHandler
    ) { service.ask(command, header, answer: answer) }

    func completed(_ error: ErrorResponse, of header: RequestHeader, at service: isolated Service) -> ErrorResponse {
        error
    }

    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem] { [] }
    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [NamedSound] { [] }

    func warning(ifUnwritten outcome: Outcome) -> String? {
        // A test ring does not ring again after a restart.
        if case .stopped(let name, _) = outcome, name.id.isEmpty { return nil }
        return "This is not saved yet: after a restart the alarm may ring again"
    }

    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let (command, problems): (Command, [Problem])
        do throws(ErrorResponse) {
            (command, problems) = try self.command(of: context.header, at: service)
        } catch {
            return send(.failure(error))
        }
        ask(command, context.header, at: service) { reply, service in
            switch reply {
            case .refused(let refusal):
                // A misspelt field may be the one that is missing.
                let misspelt = problems.filter { $0.code == .unknownField }
                let isIncomplete = refusal.code == .problems && !misspelt.isEmpty
                let told = isIncomplete ? Refusal.problems(misspelt + refusal.problems) : refusal
                send(.failure(completed(ErrorResponse(told), of: context.header, at: service)))
            case .done(.unwritten(let outcome)):
                let warnings = warning(ifUnwritten: outcome).map { [ProblemReport(Problem(.notSaved, "", $0))] } ?? []
                send(.success(SuccessResponse(response(to: outcome, at: service), warnings: warnings)))
            case .done(let outcome):
                let body = response(to: outcome, at: service)
                let known = problems + outcome.problems + warnings(outcome, at: service)
                service.checkSounds(soundsToCheck(outcome, at: service)) { unknown in
                    var seen: Set<Problem> = []
                    let warnings = (known + unknown).filter { $0.weight == .warning && seen.insert($0).inserted }
                    send(.success(SuccessResponse(body, warnings: warnings.map(ProblemReport.init))))
                }
            }
        }
    }
}

extension Mutation where Response == EmptyResponse {
    func response(to outcome: Outcome, at service: isolated Service) -> EmptyResponse { EmptyResponse() }
}

/// Passes each request to its handler.
struct RequestRouter: Sendable {
    let origin: Origin
    let simulation: (any SimulationControl)?
    let worker: SerialWorker
    private let secrets = ClientSecrets()

    func route(
        _ envelope: RequestEnvelope, from user: String, _ client: PairedClient?, at service: isolated Service,
        then send: @escaping @Sendable (String) -> Void
    ) {
        guard let handler = envelope.request as? any RequestHandler else {
            return send(ErrorResponse.malformed("This request has no handler").json.description)
        }
        if let query = handler as? any Query, query.isLong {
            let engine = service.engineNow
            return worker.run {
                query.line(from: engine)
            } then: {
                send($0)
            }
        }
        // Ids are unique only per client. Two clients may use the same id for different requests.
        let name = origin == .page ? client?.id : envelope.client ?? ""
        // Without a token, another client could guess the id, and get the response with its secrets.
        let id = name.flatMap { name in
            guard let id = envelope.id else { return nil as String? }
            let names = [
                origin.rawValue, user, name, id,
                String(FNV1a(envelope.json.utf8).value, radix: 16),
            ]
            return names.joined(separator: " ")
        }
        let header = RequestHeader(
            id ?? UUIDText.random(), by: origin, client: origin == .page ? client?.name : envelope.client,
            ifRing: envelope.ifRing?.occurrence,
            ifRevision: envelope.ifRevision)
        handle(
            handler, HandlerContext(header: header, simulation: simulation, client: client, secrets: secrets),
            at: service, then: send)
    }

    private func handle<Handler: RequestHandler>(
        _ request: Handler, _ context: HandlerContext, at service: isolated Service,
        then send: @escaping @Sendable (String) -> Void
    ) {
        request.handle(context, at: service) { [worker] envelope in
            guard !Handler.spec.media.isEmpty else { return send(envelope.json.description) }
            // The encoding of a sound takes long enough to delay a ring.
            worker.run {
                envelope.json.description
            } then: {
                send($0)
            }
        }
    }
}

/// The simulated devices that a client can change.
package protocol SimulationControl: Sendable {
    /// Applies changes, with local times in the device's zone. Reports the reason if they are impossible, or nil; later
    /// if a picture has to be read.
    func apply(_ changes: SimulateBedside, in zone: Zone, then report: @escaping @Sendable (String?) -> Void)
    /// Returns the state of the hardware. The caller adds the sound.
    func report(in zone: Zone) -> BedsideReport
}

/// Identifiers in the form of UUIDs.
enum UUIDText {
    static func random() -> String {
        text(UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    }

    /// Returns the same identifier for the same text.
    static func derived(from text: String) -> String {
        self.text(FNV1a("high \(text)".utf8).value, FNV1a("low \(text)".utf8).value)
    }

    private static func text(_ first: UInt64, _ second: UInt64) -> String {
        let high = first & ~0xF000 | 0x4000
        let low = second >> 2 | 1 << 63
        func digits(_ number: UInt64, _ count: Int) -> Substring {
            String(1 << 48 | number & 0xFFFF_FFFF_FFFF, radix: 16, uppercase: true).suffix(count)
        }
        return
            "\(digits(high >> 32, 8))-\(digits(high >> 16, 4))-\(digits(high, 4))-\(digits(low >> 48, 4))-\(digits(low, 12))"
    }
}

extension Outcome {
    fileprivate var problems: [Problem] {
        switch self {
        case .saved(_, let warnings), .configured(_, let warnings), .calendarSaved(_, let warnings),
            .restored(_, let warnings, _):
            warnings
        default: []
        }
    }
}

extension Service {
    /// Reports the sounds that cannot be played and would be replaced. Unknown names are reported at once,
    /// files when the disk has answered or timed out.
    fileprivate func checkSounds(_ sounds: [NamedSound], then report: @escaping @Sendable ([Problem]) -> Void) {
        let chosen = sounds.filter { BuiltInSound(id: $0.sound) == nil }
        let standard = BuiltInSound.standard.name
        let unknown = chosen.filter { !$0.sound.contains(".") }.map { path, sound in
            Problem(.noSound, path, "there is no sound \(sound.quoted), so \(standard) plays instead")
        }
        let files = chosen.filter { $0.sound.contains(".") }
        guard let first = files.first else { return report(unknown) }
        // The text names each file. If there are several, the problem has no path.
        let path = files.count == 1 ? first.path : ""
        findUnplayable(among: Set(files.map(\.sound)).sorted()) { problems in
            let reasons =
                problems ?? ["the disk with the sound does not answer: until it does, \(standard) plays instead"]
            report(unknown + reasons.map { Problem(.noSound, path, $0) })
        }
    }
}
