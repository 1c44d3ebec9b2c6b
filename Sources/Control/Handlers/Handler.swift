// How requests are answered, whichever door they came in by.

import Alarms
import CivilTime
import Engine
import JSON
import Loop
import Service
import Sound
import Text
import Vocabulary

/// A form that is answered here. The compiler holds each to its answer; a test holds the table of forms to these.
protocol Handled: Form {
    /// Answers in a moment, or when the change is durable. The order of answers is the order in which they came to hold; but
    /// where a disk is asked as well, or there is a lot to say, others are not kept waiting for that.
    func handle(
        _ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>)
}

typealias Answering<Body: Codable & Sendable> = @Sendable (Vocabulary.Answer<Body>) -> Void

/// What a handler knows beside the form.
struct HandlerContext: Sendable {
    var request: RequestHeader
    /// What changes the simulated world; nil in a real one.
    var simulation: (any Simulation)?
}

/// A form that changes nothing and asks for no device.
protocol Question: Handled {
    /// Whether the answer may be so long that it is made beside the loop: nothing that rings waits for a thousand alarms.
    var isLong: Bool { get }
    func answer(by engine: Engine) throws(Refused) -> Answer
}

extension Question {
    var isLong: Bool { false }

    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        answer(result(by: service.engineNow))
    }

    /// The line that answers it.
    fileprivate func line(by engine: Engine) -> String { result(by: engine).json.description }

    private func result(by engine: Engine) -> Vocabulary.Answer<Answer> {
        do throws(Refused) {
            return .done(Done(try self.answer(by: engine)))
        } catch {
            return .refused(error)
        }
    }
}

/// A form that asks the engine for something.
protocol Change: Handled {
    /// What the engine is asked for, and what is wrong with the form that is no reason to refuse it.
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem])
    /// The answer to the client, made from the engine's outcome.
    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer
    /// What else is said when it is refused.
    func completed(_ refused: Refused, at service: isolated Service) -> Refused
    /// What else the owner should know of it.
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem]
    /// The sounds that may be heard from now on.
    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [String]
}

extension Change {
    func completed(_ refused: Refused, at service: isolated Service) -> Refused { refused }
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem] { [] }
    func soundsToCheck(_ outcome: Outcome, at service: isolated Service) -> [String] { [] }

    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        let (command, problems): (Command, [Problem])
        do throws(Refused) {
            (command, problems) = try self.command(at: service)
        } catch {
            return answer(.refused(error))
        }
        service.ask(command, context.request) { reply, service in
            switch reply {
            case .refused(let refusal): answer(.refused(completed(Refused(refusal), at: service)))
            case .done(.unwritten(let outcome)):
                let late = Problem("", "It could not be written down yet: after a restart it may ring again", .warning)
                answer(.done(Done(self.answer(outcome, at: service), warnings: [ProblemReport(late)])))
            case .done(let outcome):
                let body = self.answer(outcome, at: service)
                let known = problems + outcome.problems + warnings(outcome, at: service)
                service.checkSounds(soundsToCheck(outcome, at: service)) { unknown in
                    let warnings = (known + unknown).filter { $0.weight == .warning }
                    answer(.done(Done(body, warnings: warnings.map(ProblemReport.init))))
                }
            }
        }
    }
}

extension Change where Answer == Nothing {
    func answer(_ outcome: Outcome, at service: isolated Service) -> Nothing { Nothing() }
}

/// Hands each request to its handler.
struct RequestRouter: Sendable {
    let door: Door
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

/// A world that is simulated, and can be told to be otherwise.
public protocol Simulation: Sendable {
    /// Changes it as the members of an object say, whose local times are those of the house's zone. Answers with why it
    /// cannot be so; nil where it is.
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
    /// What the owner should know.
    fileprivate var problems: [Problem] {
        switch self {
        case .saved(_, let warnings), .restored(_, let warnings, _): warnings
        default: []
        }
    }
}

extension Service {
    /// Tells what will be heard otherwise than it was chosen: at once what needs no disk to be known, and else when the disk
    /// has answered, or was waited for in vain.
    fileprivate func checkSounds(_ sounds: [String], then tell: @escaping @Sendable ([Problem]) -> Void) {
        let sounds = Set(sounds.filter { BuiltInSound(id: $0) == nil }).sorted()
        let standard = BuiltInSound.standard.name
        let unknown = sounds.filter { !$0.contains(".") }.map { sound in
            Problem("ring.sound", "\(sound.quoted) is no sound, so \(standard) takes its place", .warning)
        }
        let files = sounds.filter { $0.contains(".") }
        guard !files.isEmpty else { return tell(unknown) }
        findUnplayable(among: files) { problems in
            let words = problems ?? ["its disk does not answer: if it does not in time, \(standard) takes its place"]
            tell(unknown + words.map { Problem("ring.sound", $0, .warning) })
        }
    }
}
