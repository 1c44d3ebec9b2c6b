// The handlers of requests about codes, tags and the camera.

import API
import Alarms
import CodeSheets
import Devices
import Engine
import Service
import Text

extension ListCodes: Query {
    func response(from engine: Engine) throws(ErrorResponse) -> Response {
        Response(codes: engine.codes.map(engine.report))
    }
}

extension EnrolCode: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) {
        return (.scan(.enrol(label: label, kind: (kind ?? .qr).challenge)), [])
    }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        let another = if case .enrolled(let another) = outcome { another } else { false }
        let code = service.engine.codes.first { $0.label == label }.map { service.engine.report($0) }
        return Response(
            code: code ?? CodeReport(label: label, kind: kind ?? .qr),
            another: another)
    }
}

extension TestCode: Mutation {
    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.scan(.test), []) }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        guard case .codeSeen(let label, let kind, let fingerprint, let symbology) = outcome else {
            return Response(label: nil, kind: .qr, fingerprint: "", symbology: nil)
        }
        return Response(
            label: label, kind: CodeKind(kind), fingerprint: fingerprint, symbology: kind == .qr ? symbology : nil)
    }
}

extension CancelScan: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        // A client may cancel another client's scan, so the response names the scan.
        let scan = service.engine.status(nextCount: 0).scan
        service.ask(.cancelScan, context.header) { reply, _ in
            switch reply {
            case .done: send(.success(SuccessResponse(Response(scan: scan.map { ScanReport($0) }))))
            case .refused(let refusal): send(.failure(ErrorResponse(refusal)))
            }
        }
    }
}

extension ForgetCode: Mutation {
    private static let namedMax = 5

    func command(at service: isolated Service) -> (command: Command, problems: [Problem]) { (.forget(label), []) }

    /// Warns of alarms that still name the code.
    func warnings(_ outcome: Outcome, at service: isolated Service) -> [Problem] {
        var validationContext = service.engine.validationContext
        return service.engine.alarms.filter { $0.needs(label) }.prefix(ForgetCode.namedMax).map { alarm in
            let isUnmet = alarm.problems(among: &validationContext).contains { $0.weight == .unmet }
            let reason =
                "asks for it and \(isUnmet ? "cannot be switched on without it" : "uses its other codes from now on")"
            return Problem(.codeForgotten, alarm.id, reason)
        }
    }
}

extension PreviewCamera: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        let view = service.preview()
        send(.success(SuccessResponse(Response(view: view.report(removeAndShowAgain: false, withPicture: true)))))
    }
}

extension GetCameraPicture: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        guard service.hardware.kinds.contains(.qr) else { return send(.failure(ErrorResponse(.noCamera))) }
        guard let picture = service.previewPicture else {
            let reason = "There is no picture: the camera is not being aimed, or it is just starting"
            return send(.failure(ErrorResponse(.noPicture, reason)))
        }
        send(.success(SuccessResponse(Response(content: MediaReport(picture, type: "image/jpeg")))))
    }
}

extension PrintCode: Mutation {
    func command(at service: isolated Service) throws(ErrorResponse) -> (command: Command, problems: [Problem]) {
        // Other payloads are refused, since their fingerprints would let a client test guesses of an
        // enrolled code.
        guard code != nil else {
            throw ErrorResponse(.problems([Problem("payload", "must be a code that Rooster prints")]))
        }
        return (.keepCodeKey, service.hardware.lacksForSheets.map { Problem(.noCamera, "", $0) })
    }

    func response(to outcome: Outcome, at service: isolated Service) -> Response {
        // The key must be durable, or the fingerprint would change at the next start.
        Response(fingerprint: outcome == .done ? code.flatMap { service.fingerprint(of: $0) } : nil)
    }

    private var code: CodePayload? { CodePayload(Array(payload.utf8)).flatMap { $0.isPrinted ? $0 : nil } }
}

extension MakeCodeSheet: RequestHandler {
    func handle(_ context: HandlerContext, at service: isolated Service, then send: @escaping Completion<Response>) {
        // An owner must not hang up a sheet whose label cannot be enrolled.
        let problems = EnrolledCode(label: label, kind: .qr, digest: CodeDigest("unseen")).problems
        guard problems.isEmpty else { return send(.failure(ErrorResponse(.problems(problems)))) }
        // A repeated request gets the same code, although no code is stored.
        guard let text = context.secrets.printedCode(for: "sheet \(context.header.id)") else {
            return send(.failure(.noSecrets))
        }
        service.ask(.keepCodeKey, context.header) { reply, service in
            switch reply {
            case .done(let outcome):
                // The key must be durable, or the fingerprint would change at the next start.
                let payload = outcome == .done ? CodePayload(Array(text.utf8)) : nil
                send(sheet(text, payload.flatMap { service.fingerprint(of: $0) }, at: service))
            case .refused(let refusal): send(.failure(ErrorResponse(refusal)))
            }
        }
    }

    private func sheet(
        _ text: String, _ fingerprint: String?, at service: isolated Service
    ) -> ResponseEnvelope<Response> {
        do throws(QRSymbol.Failure) {
            let sheet = try QRSheet(payload: text, label: label, fingerprint: fingerprint ?? "")
            let content = MediaReport(Array(sheet.svg.utf8), type: "image/svg+xml")
            let warnings = service.hardware.lacksForSheets.map { ProblemReport(Problem(.noCamera, "", $0)) }
            return .success(
                SuccessResponse(Response(fingerprint: fingerprint, content: content), warnings: warnings))
        } catch {
            return .failure(ErrorResponse(.busy, "The code cannot be drawn: \(error)"))
        }
    }
}

extension ChallengeHardware {
    /// The reason why the device could not enrol a printed code; empty if it can.
    fileprivate var lacksForSheets: [String] {
        guard kinds.contains(.qr) else { return ["This device has no camera, so the code cannot be enrolled"] }
        let isReadable = symbologies.contains(.qr)
        return isReadable ? [] : ["The code cannot be enrolled, because camera.codes in the configuration lacks \"qr\""]
    }
}
