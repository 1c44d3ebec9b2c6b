// Requests about codes and tags, and the camera.

import API
import Alarms
import Devices
import Engine
import JSON
import Service

extension ListCodes: Question {
    func answer(by engine: Engine) throws(Refused) -> Answer { Answer(codes: engine.codes.map(engine.report)) }
}

extension EnrolCode: Change {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        let kind = kind ?? .qr
        guard [.qr, .tag].contains(kind) else {
            throw Refused(.problems([Problem("kind", "\(kind.rawValue) is nothing that can be enrolled: qr or tag")]))
        }
        return (.scan(.enrol(label: label, kind: kind)), [])
    }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        let another = if case .enrolled(let another) = outcome { another } else { false }
        let code = service.engine.codes.first { $0.label == label }.map { service.engine.report($0) }
        return Answer(
            code: code ?? CodeReport(label: label, kind: kind ?? .qr, symbology: "", fingerprint: "", alarms: []),
            another: another)
    }
}

extension TestCode: Change {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.scan(.test), []) }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        guard case .codeSeen(let label, let kind, let fingerprint, let symbology) = outcome else {
            return Answer(label: nil, kind: .qr, fingerprint: "", symbology: nil)
        }
        return Answer(
            label: label, kind: kind, fingerprint: fingerprint, symbology: kind == .qr ? symbology : nil)
    }
}

extension CancelLook: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        // A client may end what another one has begun: the answer says what that was.
        let looking = service.engine.status(nextCount: 0).looking
        service.ask(.cancelScan, context.request) { reply, _ in
            switch reply {
            case .done: answer(.done(Done(Answer(looking: looking?.report))))
            case .refused(let refusal): answer(.refused(Refused(refusal)))
            }
        }
    }
}

extension ForgetCode: Change {
    private static let namedMax = 5

    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.forget(label), []) }

    /// The alarms that name the code still.
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem] {
        var surroundings = service.engine.surroundings
        return service.engine.alarms.filter { $0.needs(label) }.prefix(ForgetCode.namedMax).map { alarm in
            let isUnmet = alarm.problems(among: &surroundings).contains { $0.weight == .unmet }
            let words = "asks for it and \(isUnmet ? "cannot be switched on without it" : "goes by its other codes")"
            return Problem(alarm.id, words, .warning)
        }
    }
}

extension PreviewCamera: Handled {
    func handle(_ context: HandlerContext, at service: isolated Service, then answer: @escaping Answering<Answer>) {
        let view = service.preview()
        answer(.done(Done(Answer(view: view.report(isStanding: false, withPicture: true)))))
    }
}

extension PrintCode: Change {
    func command(at service: isolated Service) throws(Refused) -> (command: Command, problems: [Problem]) {
        // The fingerprint of an arbitrary payload would let a client test guesses of what an enrolled code says.
        guard code != nil else { throw Refused(.problems([Problem("payload", "is none that Rooster prints")])) }
        return (.keepCodeKey, service.hardware.lacksForSheets.map { Problem("", $0, .warning) })
    }

    func answer(_ outcome: Outcome, at service: isolated Service) -> Answer {
        // Without a durable key the fingerprint would change at the next start.
        Answer(fingerprint: outcome == .done ? code.flatMap { service.fingerprint(of: $0) } : nil)
    }

    private var code: CodePayload? { CodePayload(Array(payload.utf8)).flatMap { $0.isPrinted ? $0 : nil } }
}

extension ChallengeHardware {
    /// Why no sheet that is printed could be enrolled.
    fileprivate var lacksForSheets: [String] {
        guard kinds.contains(.qr) else { return ["It cannot be enrolled: this device is set up without a camera"] }
        let isReadable = symbologies.contains(.qr)
        return isReadable ? [] : ["It cannot be enrolled: the configuration leaves \"qr\" out of camera.codes"]
    }
}
