// From a line of the service to an HTTP response.

import API
import HTTP
import JSON

/// The response of the service to a request.
package enum ResponseLine: Sendable {
    /// The response of HTTP, ready to be sent.
    case response(HTTPResponse)
    /// The object has changed meanwhile. The response is complete with its present state.
    case changedMeanwhile(ProblemDocument)

    private static let success = Array(#"{"ok":true"#.utf8)

    package init(_ line: ArraySlice<UInt8>, to route: Route, _ request: HTTPRequest) {
        guard line.starts(with: ResponseLine.success) else {
            self = ResponseLine.error(line, to: route)
            return
        }
        // `{"ok":true,"next":…}` becomes `{"next":…}`, without being parsed.
        let rest = line.dropFirst(ResponseLine.success.count)
        var body = [UInt8(ascii: "{")] + (rest.first == UInt8(ascii: ",") ? rest.dropFirst() : rest)
        guard route.spec.media.isEmpty else {
            self = .response(ResponseLine.content(of: body, to: route.spec))
            return
        }
        var tag: ETag?
        var token: Secret?
        if route.spec.needsReading {
            // Unread, the body might contain a token.
            guard let json = try? JSON(parsing: body) else {
                self = .response(WebProblem.noService.response)
                return
            }
            tag = json.revision.map { ETag(revision: $0) }
            if let field = route.spec.responseField, let part = json.member(field) { body = part.utf8 }
            if route.spec.givesCookie, case .string(let text)? = json.member("token") {
                token = Secret(text)
                body = JSON.object(json.members.filter { $0.name != "token" }).utf8
            }
            // A browser forgets a cookie after 400 days, so each visit renews it.
            if route.spec.name == Hello.spec.name, case .object? = json.member("client"),
                case .cookie(let secret)? = request.credential
            {
                token = secret
            }
        }
        if route.spec.revisionCoversResponse, request.method.isSafe, let tag,
            request.ifNoneMatch?.isSatisfied(by: tag) == true
        {
            self = .response(.notModified(tag))
            return
        }
        var response = HTTPResponse(route.spec.successStatus, .bytes(body), type: .json)
        if let tag { response.add("ETag", tag.description) }
        if let token { response = response.settingCookie(RequestGate.cookieName, token) }
        if route.spec.name == Hello.spec.name {
            // The relation of RFC 8631.
            response.add("Link", "</\(OpenAPI.path.joined(separator: "/"))>; rel=\"service-desc\"")
        }
        if route.spec.responseField != nil {
            response.add("Content-Disposition", #"attachment; filename="rooster.json""#)
        }
        self = .response(response)
    }

    /// Returns the response whose body is the content of a line, such as a picture.
    private static func content(of body: [UInt8], to spec: RequestSpec) -> HTTPResponse {
        guard let json = try? JSON(parsing: body), let member = json.member(RequestSpec.mediaMember),
            let content = try? member.decoded(as: MediaReport.self), spec.media.contains(content.type),
            let bytes = content.bytes
        else { return WebProblem.noService.response }
        return HTTPResponse(spec.successStatus, .bytes(bytes), type: MediaType(content.type))
    }

    /// Returns the response for a refusal of the service; nil for a success.
    package static func refusal(_ line: ArraySlice<UInt8>, to route: Route) -> HTTPResponse? {
        line.starts(with: success) ? nil : problem(line, to: route)
    }

    /// Returns the response for a refusal of the service.
    package static func problem(_ line: ArraySlice<UInt8>, to route: Route) -> HTTPResponse {
        switch error(line, to: route) {
        case .response(let response): response
        case .changedMeanwhile(let problem): .problem(problem)
        }
    }

    private static func error(_ line: ArraySlice<UInt8>, to route: Route) -> ResponseLine {
        guard let json = try? JSON(parsing: Array(line)),
            case .failure(let error)? = try? ResponseEnvelope<EmptyResponse>(json)
        else { return .response(WebProblem.noService.response) }
        let problem = ProblemDocument(error, of: route.spec)
        return error.code == .changedMeanwhile ? .changedMeanwhile(problem) : .response(.problem(problem))
    }
}

extension ProblemDocument {
    /// Returns the problem with the present state of the object, from the answer to a request for it.
    package func adding(present line: ArraySlice<UInt8>, of route: Route) -> ProblemDocument {
        guard let json = try? JSON(parsing: Array(line)), case .bool(true)? = json.member("ok") else { return self }
        let settings = JSON.object(json.members.filter { $0.name != "ok" })
        var present: JSON? = json.member("alarm") ?? (json.member("settings") == nil ? nil : settings)
        if case .array(let calendars)? = json.member("calendars"), let name = route.pathFields.first?.value {
            present = calendars.first { $0.member("name") == .string(name) }
        }
        var problem = self
        if let present { problem.members.append(JSON.Member("present", present)) }
        return problem
    }
}

extension JSON {
    /// The revision of the object in a response.
    fileprivate var revision: String? {
        if case .string(let text)? = member("revision") ?? member("alarm")?.member("revision") { text } else { nil }
    }
}

extension RequestSpec {
    /// True if the response has the revision of one object.
    var showsRevision: Bool {
        conditions.contains(.ifRevision) || ["alarm", "settings", "add"].contains(name)
    }

    /// True if a response with the same revision is the same. That of an alarm has its next ring and its lock as well.
    fileprivate var revisionCoversResponse: Bool { name == GetSettings.spec.name }

    /// True if a browser gets the token of the response as a cookie, which no script of a page can read.
    var givesCookie: Bool { ["claim", "pairing"].contains(name) }

    fileprivate var needsReading: Bool {
        showsRevision || responseField != nil || givesCookie || name == Hello.spec.name
    }

    /// The status code of a success.
    package var successStatus: HTTPStatus { ["add", "enrol", "addToken"].contains(name) ? .created : .ok }
}
