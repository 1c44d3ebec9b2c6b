// The API and the page over HTTP: each request of the API becomes a line for the service, and its answer a
// response.

import API
import HTTP
import JSON
import WebAPI
import WebServer

/// Answers the requests of browsers and scripts. It knows no alarm and decides nothing about one: the service
/// checks the credential of each request.
final class APIHandler: WebHandler {
    private let link: ServiceLink
    private let streams: EventStreams
    private let page: PageFiles

    init(_ link: ServiceLink, _ page: PageFiles) {
        (self.link, streams, self.page) = (link, EventStreams(link), page)
    }

    func bodyLimit(_ request: HTTPRequest) -> BodyLimit {
        // Without a credential nothing large is accepted, because the memory is limited.
        guard request.credential != nil else { return .ordinary }
        if request.path == Route.prefix + ["file"] { return .fileImport }
        let isSound = request.method == .put && request.path.starts(with: Route.prefix + ["sounds"])
        return isSound ? .sound : .ordinary
    }

    func admit(_ request: HTTPRequest, _ decide: @escaping @Sendable (HTTPResponse?) -> Void) {
        checkCredential(request.credential?.secret.revealed, decide)
    }

    func handle(_ request: HTTPRequest, _ body: [UInt8], _ answer: @escaping @Sendable (Answer) -> Void) {
        if request.path.first == PageFiles.bedside { return showBedside(request, answer) }
        if let response = page.response(to: request) { return answer(Answer(response)) }
        let token = request.credential?.secret.revealed
        if request.path == OpenAPI.path, request.method.isSafe { return describe(token, answer) }
        let line: RequestLine
        do throws(WebProblem) { line = try RequestLine(request, body) } catch {
            return answer(Answer(error.response))
        }
        // The service does not tell a stranger what is wrong with a line, but pairing needs no token.
        if line.route.spec.may == nil, let mistake = line.mistake { return answer(Answer(mistake)) }
        if line.route.spec.name == Follow.spec.name {
            return streams.assumeIsolated { $0.begin(line, token: token, answer) }
        }
        if line.route.spec.takesFile { return pass(body, with: line, from: 0, request, answer) }
        ask(line.line(token: token), of: line.route) { [self] reply in
            guard let reply else { return answer(Answer(WebProblem.noService.response)) }
            switch ResponseLine(reply, to: line.route, request) {
            case .response(let response):
                // A request that needs no right succeeds with any token.
                let isKnown = token != nil && line.route.spec.may != nil && response.status.isSuccess
                answer(Answer(response, isKnown: isKnown))
            case .changedMeanwhile(let problem):
                addPresent(to: problem, of: line.route, token, request) { answer(Answer($0, isKnown: true)) }
            }
        }
    }

    /// Passes a file on in pieces, one after the other, because the service accepts no long lines. Answers with the
    /// response to the last piece, or with a refusal.
    private func pass(
        _ file: [UInt8], with line: RequestLine, from start: Int, as upload: String = UploadName.random(),
        _ request: HTTPRequest, _ answer: @escaping @Sendable (Answer) -> Void
    ) {
        let token = request.credential?.secret.revealed
        let piece = file[start..<min(start + AddSound.pieceBytesMax, file.count)]
        let bytes = line.line(of: piece, of: file.count, upload: upload, token: token)
        ask(bytes, of: line.route) { [self] reply in
            guard let reply else { return answer(Answer(WebProblem.noService.response)) }
            if let refusal = ResponseLine.refusal(reply, to: line.route) { return answer(Answer(refusal)) }
            guard piece.endIndex == file.count else {
                return pass(file, with: line, from: piece.endIndex, as: upload, request, answer)
            }
            switch ResponseLine(reply, to: line.route, request) {
            case .response(let response): answer(Answer(response, isKnown: token != nil))
            case .changedMeanwhile(let problem): answer(Answer(.problem(problem)))
            }
        }
    }

    private func ask(_ line: [UInt8], of route: Route, _ receive: @escaping ServiceLink.Receive) {
        link.assumeIsolated { $0.ask(line, mayRepeat: !route.spec.changes, receive) }
    }

    /// Answers with the description of the API. Making it is work, which only paired clients may cause.
    private func describe(_ token: String?, _ answer: @escaping @Sendable (Answer) -> Void) {
        checkCredential(token) { refusal in
            if let refusal { return answer(Answer(refusal)) }
            var description = OpenAPI(version: roosterVersion)
            answer(Answer(.json(description.document), isKnown: token != nil))
        }
    }

    /// Asks the service for something that any paired client may see. Passes on the refusal, or nil if there is none.
    private func checkCredential(_ token: String?, _ decide: @escaping @Sendable (HTTPResponse?) -> Void) {
        let right = RequestLine.settings
        ask(right.line(token: token), of: right.route) { reply in
            decide(reply.map { ResponseLine.refusal($0, to: right.route) } ?? WebProblem.noService.response)
        }
    }

    /// Answers with a file of the simulated bedside. It is there only for browsers of this machine, and only if the
    /// service is simulated.
    private func showBedside(_ request: HTTPRequest, _ answer: @escaping @Sendable (Answer) -> Void) {
        let peer = request.connection.peer
        guard peer.isLoopback, peer != .unix, let response = page.response(to: request) else {
            return answer(Answer(WebProblem.noRoute.response))
        }
        let hello = RequestLine.hello
        ask(hello.line(token: nil), of: hello.route) { reply in
            guard let reply else { return answer(Answer(WebProblem.noService.response)) }
            // An answer that cannot be read does not say that the hardware is simulated.
            let isSimulated = (try? JSON(parsing: Array(reply)))?.member("simulated") == .bool(true)
            answer(Answer(isSimulated ? response : WebProblem.noRoute.response))
        }
    }

    /// Adds the present state of the object to the problem, so that a client can show both versions.
    private func addPresent(
        to problem: ProblemDocument, of route: Route, _ token: String?, _ request: HTTPRequest,
        _ answer: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        guard let line = RequestLine(reading: route) else { return answer(.problem(problem)) }
        ask(line.line(token: token), of: line.route) { reply in
            answer(.problem(reply.map { problem.adding(present: $0, of: route) } ?? problem))
        }
    }
}

extension Credential {
    var secret: Secret {
        switch self {
        case .bearer(let secret), .cookie(let secret): secret
        }
    }
}

/// Names of uploads, which no other client makes up.
private enum UploadName {
    static func random() -> String { String(UInt64.random(in: 0 ... .max), radix: 16) }
}

extension HTTPStatus {
    fileprivate var isSuccess: Bool { rawValue < 400 }
}
