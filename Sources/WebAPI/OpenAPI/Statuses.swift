// The status codes of each request, and their descriptions.

import API
import HTTP
import JSON

extension RequestSpec {
    /// The status codes beside that of success. Those that any path may have are not among them.
    package var otherStatuses: [HTTPStatus] {
        let kind = path.split(separator: "/").first ?? ""
        let isCondition = conditions.contains(.ifRevision)
        let rules: [(HTTPStatus, Bool)] = [
            (.notModified, method == .get && showsRevision),
            (.badRequest, true),
            (.unauthorized, may != nil),
            // A request from a page of another site is forbidden, if it is not a GET.
            (.forbidden, may != nil || method != .get),
            (.notFound, path.contains("{") || [ValidateAlarm.spec.name, ClaimInvitation.spec.name].contains(name)),
            (.conflict, changes || [GetBedside.spec.name, GetCameraPicture.spec.name].contains(name)),
            (.preconditionFailed, isCondition),
            (.bodyTooLong, hasBody),
            (.unsupportedMediaType, hasBody),
            (.unprocessable, changes || [ValidateAlarm.spec.name, GetSound.spec.name].contains(name)),
            (.locked, changes && ["alarms", "settings", "calendars", "file", "codes"].contains(kind)),
            (.preconditionRequired, needsRevision),
            (.tooManyRequests, name == AnswerSum.spec.name || may == nil && changes),
            (.unavailable, true),
        ]
        return rules.filter(\.1).map(\.0)
    }
}

extension OpenAPI {
    static func reference(to status: HTTPStatus) -> JSON {
        ["$ref": .string("#/components/responses/\(status.rawValue)")]
    }

    /// The response to a request that breaks a rule of HTTP: 405, 414, 421, 431, 500 or 505.
    static let otherResponse: JSON = ["$ref": "#/components/responses/other"]

    /// The responses of several requests, for `#/components/responses`.
    static var errorResponses: JSON {
        let statuses = descriptions.keys.sorted { $0.rawValue < $1.rawValue }
        let other = response("Another error of HTTP: 405, 414, 421, 431, 500 or 505", mayBeHTML: true)
        return .object(
            statuses.map { JSON.Member(String($0.rawValue), errorResponse($0)) } + [JSON.Member("other", other)])
    }

    static func errorResponse(_ status: HTTPStatus, example: JSON? = nil) -> JSON {
        let text = descriptions[status] ?? status.reason
        guard status != .notModified else { return ["description": .string(text)] }
        let headers: [HTTPStatus: String] = [
            .unauthorized: "WWW-Authenticate", .tooManyRequests: "Retry-After", .unavailable: "Retry-After",
        ]
        return response(
            text, header: headers[status], mayBeHTML: [.badRequest, .bodyTooLong].contains(status), example: example)
    }

    private static func response(
        _ text: String, header: String? = nil, mayBeHTML: Bool = false, example: JSON? = nil
    ) -> JSON {
        var problem = [JSON.Member("schema", ["$ref": "#/components/schemas/Problem"])]
        if let example { problem.append(JSON.Member("example", example)) }
        var content = [JSON.Member("application/problem+json", .object(problem))]
        if mayBeHTML { content.append(JSON.Member("text/html", ["schema": ["type": "string"]])) }
        var members = [JSON.Member("description", .string(text)), JSON.Member("content", .object(content))]
        if let header {
            let string: JSON = ["schema": ["type": "string"]]
            members.append(JSON.Member("headers", .object([JSON.Member(header, string)])))
        }
        return .object(members)
    }

    private static let descriptions: [HTTPStatus: String] = [
        .notModified: "The client has the present revision",
        .badRequest: "The request is malformed: a field is unknown, missing or of a wrong type",
        .unauthorized: "The token is missing or unknown",
        .forbidden: "The token has no right to this request, or a page of another site sent it",
        .notFound: "There is no such object",
        .conflict: "The present state forbids the request, for example because nothing rings",
        .preconditionFailed: "Another client has changed the object meanwhile. `present` is its present state",
        .bodyTooLong: "The body is too long",
        .unsupportedMediaType: "The body is not application/json",
        .unprocessable: "A value is not allowed. `errors` names each",
        .locked: "The alarm is locked: it rings now or soon, and the change would evade its ring",
        .preconditionRequired: "If-Match is missing",
        .tooManyRequests: "Too many attempts. Retry-After has the seconds to wait",
        .unavailable: "The service does not answer, is busy, or cannot save. Retry-After has the seconds to wait",
    ]
}
