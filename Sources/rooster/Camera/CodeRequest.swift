// A request that waits until the owner shows a code to the camera, or holds a tag to the reader.

import API

struct CodeRequest<Sent: Request> {
    private let request: Sent
    private let isForTag: Bool
    private let call: ServiceCall
    private let signals: StopSignals
    /// The camera view needs a second connection, because the first one waits for the answer.
    private let camera: RunningService

    init(_ request: Sent, isForTag: Bool, _ call: ServiceCall) {
        self.request = request
        self.isForTag = isForTag
        signals = StopSignals()
        self.call = call.interrupted(by: signals)
        camera = RunningService(
            socket: call.service.socket, timeouts: Timeouts(connectMilliseconds: 2000, answerMilliseconds: 2000),
            interruption: signals.descriptor)
    }

    /// The time in which a refusal arrives. After it, the command prints how to show the code.
    private static var refusalMilliseconds: Int { 300 }
    private static var previewMilliseconds: Int { 500 }
    /// The timeout of the answer. The service itself gives up after a minute.
    private static var answerMilliseconds: Int { 80_000 }
    private static var farewellMilliseconds: Int { 5000 }

    /// Waits for the answer, a timeout, or a signal such as Ctrl-C.
    func run() throws(CommandError) -> SuccessResponse<Sent.Response> {
        var line = AimHint(isShown: !call.isJSON && call.style.rows != nil)
        defer { print(line.erasure(), terminator: "") }
        var view: CameraViewReport?
        var toldProblem: String?
        try call.service.begin(request)
        var milliseconds = CodeRequest.refusalMilliseconds
        // The camera cannot see a tag.
        var isCameraAsked = !isForTag
        let deadline = CallDeadline(in: CodeRequest.answerMilliseconds)
        while deadline.millisecondsLeft > 0 {
            if let reply = try reply(within: milliseconds) { return try answer(reply, view) }
            if let signal = signals.wait(milliseconds: 0) { return try cancel(&line, by: signal) }
            if milliseconds == CodeRequest.refusalMilliseconds, !call.isJSON {
                let how = isForTag ? "Hold the tag to the reader" : "Hold the code in front of the camera"
                try printNow("\(how) within a minute. Ctrl-C cancels.\n")
            }
            milliseconds = CodeRequest.previewMilliseconds
            guard isCameraAsked else { continue }
            if let seen = previewCamera() { view = seen } else { isCameraAsked = false }
            // The wait goes on: the owner can plug the camera in.
            if !call.isJSON, let problem = view?.problem, problem != toldProblem {
                try printNow("\(line.erasure())\(problem.capitalisedFirst.asSentence)\n")
                toldProblem = problem
            }
            // The terminal may have been resized.
            try printNow(line.drawing(view?.text ?? "", columns: Style.ofStandardOutput().columns))
        }
        throw .refused(
            sentences("The service did not report the result", "'rooster code list' shows the enrolled codes"))
    }

    /// Returns the camera view, or nil on an error: the wait for the code goes on without it.
    private func previewCamera() -> CameraViewReport? {
        do throws(CommandError) {
            return try camera.ask(PreviewCamera()).body.view
        } catch {
            return nil
        }
    }

    private func reply(within milliseconds: Int) throws(CommandError) -> ResponseEnvelope<Sent.Response>? {
        try signals.unlessInterrupted { () throws(CommandError) in try call.service.reply(within: milliseconds) }
    }

    /// Returns the answer. If it is a refusal, throws it with the reason why the camera read no code.
    private func answer(
        _ reply: ResponseEnvelope<Sent.Response>, _ view: CameraViewReport?
    ) throws(CommandError) -> SuccessResponse<Sent.Response> {
        switch reply {
        case .success(let answer): return answer
        case .failure(let error) where isForTag && error.code == .noCodeSeen:
            throw .refused("No tag was held to the reader", answer: error.forScripts)
        case .failure(let error):
            let text = error.code == .cancelled ? "Cancelled by another client" : error.text()
            throw .refused(sentences(text, advice(error, view)), answer: error.forScripts)
        }
    }

    private func advice(_ error: ErrorResponse, _ view: CameraViewReport?) -> String? {
        switch error.code {
        case .noCodeSeen: view?.trouble
        case .ringing: "'rooster status' shows which"
        default: nil
        }
    }

    /// Cancels the request. If the service has just enrolled the code, returns that answer: the code stays.
    private func cancel(_ line: inout AimHint, by signal: Int32) throws(CommandError) -> SuccessResponse<
        Sent.Response
    > {
        try printNow(line.erasure())
        _ = try RunningService(socket: call.service.socket, interruption: signals.descriptor).ask(CancelScan())
        let last: ResponseEnvelope<Sent.Response>? = try call.service.reply(within: CodeRequest.farewellMilliseconds)
        if case .success(let answer)? = last { return answer }
        complain("rooster: Cancelled")
        signals.end(by: signal)
        throw .refused("Cancelled")
    }
}
