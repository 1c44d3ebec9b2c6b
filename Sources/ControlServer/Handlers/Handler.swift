// How requests are answered, whichever door they came in by.

import API
import Alarms
import CivilTime
import Engine
import EventLoop
import JSON
import Service
import Sound
import Text

/// A form that is answered here. The compiler holds each to its answer; a test holds the table of forms to these.
protocol Handled: Form {
    /// Answers at once, or when the change is durable, in the order in which changes became durable. An answer that is long
    /// or needs a disk delays no other.
    func handle(
        _ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>)
}

typealias Answering<Body: Codable & Sendable> = @Sendable (API.Answer<Body>) -> Void

/// What a handler is given beside the form.
struct HandlerContext: Sendable {
    var request: RequestHeader
    /// What changes the simulated world; nil in a real one.
    var simulation: (any Simulation)?
}

/// A form that changes nothing and asks for no device.
protocol Question: Handled {
    /// Whether the answer may be so long that it is made on another thread: a ring does not wait for a thousand alarms.
    var isLong: Bool { get }
    func answer(by engine: Engine) throws(Refused) -> Answer
}

extension Question {
    var isLong: Bool { false }

    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        answer(result(by: service.engineNow))
    }

    fileprivate func line(by engine: Engine) -> String { result(by: engine).json.description }

    private func result(by engine: Engine) -> API.Answer<Answer> {
        do throws(Refused) {
            return .done(Done(try self.answer(by: engine)))
        } catch {
            return .refused(error)
        }
    }
}

/// A sound, and the field that names it.
typealias PlacedSound = (place: String, sound: String)

/// A form that asks the engine for something.
protocol Change: Handled {
    /// The command for the engine, and the problems of the form that are no reason to refuse it.
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem])
    func ask(
        _ command: Command, _ request: RequestHeader, at service: isolated Service,
        answer: @escaping Service.ReplyHandler)
    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer
    /// The refusal, with what the client needs to go on.
    func completed(_ refused: Refused, of request: RequestHeader, at service: isolated Service) -> Refused
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem]
    /// The sounds that may be heard because of this change: the owner is warned of those that cannot be played.
    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [PlacedSound]
}

extension Change {
    func ask(
        _ command: Command, _ request: RequestHeader, at service: isolated Service,
        answer: @escaping Service.ReplyHandler
    ) { service.ask(command, request, answer: answer) }

    func completed(_ refused: Refused, of request: RequestHeader, at service: isolated Service) -> Refused { refused }
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem] { [] }
    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [PlacedSound] { [] }

    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        let (command, problems): (Command, [Problem])
        do throws(Refused) {
            (command, problems) = try self.command(at: service)
        } catch {
            return answer(.refused(error))
        }
        ask(command, context.request, at: service) { reply, service in
            switch reply {
            case .refused(let refusal): answer(.refused(completed(Refused(refusal), of: context.request, at: service)))
            case .done(.unwritten(let outcome)):
                let late = Problem("", "It could not be written down yet: after a restart it may ring again", .warning)
                answer(.done(Done(self.answer(outcome, at: service), warnings: [ProblemReport(late)])))
            case .done(let outcome):
                let body = self.answer(outcome, at: service)
                let known = problems + outcome.problems + warnings(outcome, at: service)
                service.checkSounds(soundsToCheck(outcome, at: service)) { unknown in
                    var seen: Set<Problem> = []
                    let warnings = (known + unknown).filter { $0.weight == .warning && seen.insert($0).inserted }
                    answer(.done(Done(body, warnings: warnings.map(ProblemReport.init))))
                }
            }
        }
    }
}

extension Change where Answer == Nothing {
    func answer(_ outcome: Outcome, at service: isolated Service) -> Nothing { Nothing() }
}

struct RequestRouter: Sendable {
    let door: Origin
    let simulation: (any Simulation)?
    let worker: SerialWorker

    func answer(
        _ request: Request, from client: String, at service: isolated Service,
        then tell: @escaping @Sendable (String) -> Void
    ) {
        guard let form = request.form as? any Handled else {
            return tell(Refused.malformed("Nobody answers that here").json.description)
        }
        if let question = form as? any Question, question.isLong {
            let engine = service.engineNow
            return worker.run {
                question.line(by: engine)
            } then: {
                tell($0)
            }
        }
        // Ids are only unique per client: two clients may use the same one for different requests.
        let id = request.id.map {
            let names = [
                door.rawValue, client, request.client ?? "", $0, String(FNV1a(request.json.utf8).value, radix: 16),
            ]
            return names.joined(separator: " ")
        }
        let context = HandlerContext(
            request: RequestHeader(
                id ?? UUIDText.random(), by: door, meaning: request.meant?.occurrence, basedOn: request.basedOn),
            simulation: simulation)
        handle(form, context, at: service, then: tell)
    }

    private func handle<Filled: Handled>(
        _ form: Filled, _ context: HandlerContext, at service: isolated Service,
        then tell: @escaping @Sendable (String) -> Void
    ) {
        form.handle(context, at: service) { tell($0.json.description) }
    }
}

/// A simulated world that a client can change.
package protocol Simulation: Sendable {
    /// Applies the members of an object, with local times in the house's zone. Returns why that is impossible; nil when done.
    func change(_ changes: JSON, in zone: Zone) -> String?
}

/// Identifiers in the form of UUIDs.
enum UUIDText {
    static func random() -> String {
        let bytes = (0..<16).map { index -> UInt8 in
            let byte = UInt8.random(in: 0...255)
            return index == 6 ? byte & 0x0F | 0x40 : index == 8 ? byte & 0x3F | 0x80 : byte
        }
        return bytes.enumerated().reduce(into: "") { text, byte in
            if [4, 6, 8, 10].contains(byte.offset) { text += "-" }
            text += String(0x100 + Int(byte.element), radix: 16, uppercase: true).dropFirst()
        }
    }
}

extension Outcome {
    fileprivate var problems: [Problem] {
        switch self {
        case .saved(_, let warnings), .restored(_, let warnings, _): warnings
        default: []
        }
    }
}

extension Service {
    /// Warns of sounds that another will replace: of built-in ones at once, of files when the disk has answered or timed out.
    fileprivate func checkSounds(_ sounds: [PlacedSound], then tell: @escaping @Sendable ([Problem]) -> Void) {
        let chosen = sounds.filter { BuiltInSound(id: $0.sound) == nil }
        let standard = BuiltInSound.standard.name
        let unknown = chosen.filter { !$0.sound.contains(".") }.map { place, sound in
            Problem(place, "\(sound.quoted) is no sound, so \(standard) takes its place", .warning)
        }
        let files = chosen.filter { $0.sound.contains(".") }
        guard let first = files.first else { return tell(unknown) }
        // Each file is named in the words: of several, none has a place.
        let place = files.count == 1 ? first.place : ""
        findUnplayable(among: Set(files.map(\.sound)).sorted()) { problems in
            let words = problems ?? ["its disk does not answer: if it does not in time, \(standard) takes its place"]
            tell(unknown + words.map { Problem(place, $0, .warning) })
        }
    }
}
