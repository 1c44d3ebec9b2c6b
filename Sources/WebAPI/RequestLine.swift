// From an HTTP request to a line for the control socket.

import API
import HTTP
import JSON
import Text

/// An HTTP request as a line for the service.
package struct RequestLine: Sendable {
    package let route: Route
    private var members: [JSON.Member]

    /// Members of a line that a body must not set.
    private static let reserved: Set = ["do", "id", "client", "token", "ifRevision"]

    package init(_ request: HTTPRequest, _ body: [UInt8]) throws(WebProblem) {
        switch Route.find(request) {
        case .route(let found): route = found
        case .otherMethod(let allowed): throw .otherMethod(allowed)
        case .none: throw .noRoute
        }
        let spec = route.spec
        members = [JSON.Member("do", .string(spec.name))]
        if let key = request.idempotencyKey { members.append(JSON.Member("id", .string(key))) }
        try addRevision(request)
        for (name, value) in route.pathFields { members.append(JSON.Member(name, .string(value))) }
        try addQuery(request)
        try addBody(body, request)
        // A browser that connects again sends the position of its last event in a header.
        if spec.name == Follow.spec.name, since == nil, let id = request.lastEventID, let sequence = Int(id) {
            members.append(JSON.Member("since", .number(sequence)))
        }
    }

    /// The request for the present state of the object that another request names; nil if it names none.
    package init?(reading other: Route) {
        let types: [String: any Request.Type] = [
            "alarms": ShowAlarm.self, "settings": GetSettings.self, "calendars": ListCalendars.self,
        ]
        guard let kind = other.spec.path.split(separator: "/").first, let type = types[String(kind)] else { return nil }
        self.init(type, other.pathFields.filter { $0.name == "alarm" })
    }

    /// The request for the version, which needs no token.
    package static let hello = RequestLine(Hello.self, [])
    /// The request for the status.
    package static let status = RequestLine(GetStatus.self, [])
    /// The request for the settings, whose response is short.
    package static let settings = RequestLine(GetSettings.self, [])

    private init(_ type: any Request.Type, _ fields: [(name: String, value: String)]) {
        route = Route(type: type, pathFields: fields)
        members = [JSON.Member("do", .string(type.spec.name))] + fields.map { JSON.Member($0.name, .string($0.value)) }
    }

    /// The sequence number after which a follower wants the records.
    package var since: Int? {
        guard case .number(let text)? = members.first(where: { $0.name == "since" })?.value else { return nil }
        return Int(text)
    }

    /// The line, with the credential of its client.
    package func line(token: String?) -> [UInt8] {
        let token = token.map { [JSON.Member("token", .string($0))] } ?? []
        return JSON.object(members + token).utf8 + [UInt8(ascii: "\n")]
    }

    /// Returns the line for a piece of the file that is the body, with the credential of its client.
    package func line(of piece: ArraySlice<UInt8>, of size: Int, upload: String, token: String?) -> [UInt8] {
        var line = self
        line.members += [
            JSON.Member("upload", .string(upload)), JSON.Member("size", .number(size)),
            JSON.Member("offset", .number(piece.startIndex)), JSON.Member("data", .string(Array(piece).base64)),
        ]
        return line.line(token: token)
    }

    /// The problem of a line that the service would refuse as malformed; nil for any other.
    package var mistake: HTTPResponse? {
        do throws(ErrorResponse) {
            _ = try RequestEnvelope(.object(members))
            return nil
        } catch {
            return .problem(ProblemDocument(error, of: route.spec))
        }
    }

    private mutating func addRevision(_ request: HTTPRequest) throws(WebProblem) {
        let spec = route.spec
        guard let condition = request.ifMatch else {
            guard !spec.needsRevision else { throw .revisionNeeded }
            return
        }
        guard spec.conditions.contains(.ifRevision) else { throw .noCondition }
        guard case .list(let tags) = condition else { return }
        guard let tag = tags.first, tags.count == 1 else { throw .severalTags }
        // A weak tag never matches, and no revision begins like it.
        members.append(JSON.Member("ifRevision", .string(tag.isWeak ? "\(tag)" : tag.opaque)))
    }

    private mutating func addQuery(_ request: HTTPRequest) throws(WebProblem) {
        var problems: [Problem] = []
        for name in Set(request.query.map(\.name)).sorted() {
            let values = request.parameters(name)
            let isTaken = RequestLine.reserved.contains(name) || route.spec.pieceFields.contains(name)
            guard !isTaken, !members.contains(where: { $0.name == name }) else {
                problems.append(Problem(name, "must not be in the query"))
                continue
            }
            let field = route.type.fields.first { $0.name == name }
            if case .list? = field?.schema {
                let parts = values.flatMap { $0.split(separator: ",") }.map { JSON.string(String($0)) }
                members.append(JSON.Member(name, .array(parts)))
            } else if values.count > 1 {
                problems.append(Problem(name, "must come once"))
            } else {
                members.append(JSON.Member(name, RequestLine.value(values[0], of: field)))
            }
        }
        guard problems.isEmpty else { throw .malformed(problems) }
    }

    /// Reads a parameter. A value of a wrong kind stays a string, which the service refuses with a reason.
    private static func value(_ text: String, of field: Schema.Field?) -> JSON {
        guard case .simple(_, let sample)? = field?.schema else { return .string(text) }
        switch sample {
        // Numbers such as 007 and inf are none in JSON: the service could not read the line.
        case .number:
            // A text that is no JSON stays a text, which the service refuses with a reason.
            guard let value = try? JSON(parsing: Array(text.utf8)), case .number = value else { return .string(text) }
            return value
        case .bool: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
        default: return .string(text)
        }
    }

    private mutating func addBody(_ bytes: [UInt8], _ request: HTTPRequest) throws(WebProblem) {
        guard !route.spec.takesFile else { return }
        // An empty body is the object without members.
        guard !bytes.isEmpty else {
            if let field = route.spec.bodyField { members.append(JSON.Member(field, .object([]))) }
            return
        }
        guard request.contentType?.isJSON == true else { throw .notJSON }
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: bytes) } catch {
            throw .malformed([Problem("", "The body is not valid JSON: \(error)")])
        }
        guard case .object(let body) = json else {
            throw .malformed([Problem("", "The body must be an object { … }")])
        }
        if let field = route.spec.bodyField {
            members.append(JSON.Member(field, json))
            return
        }
        let taken = Set(members.map(\.name)).union(RequestLine.reserved)
        let problems = body.filter { taken.contains($0.name) }.map { Problem($0.name, "must not be in the body") }
        guard problems.isEmpty else { throw .malformed(problems) }
        members += body
    }
}
