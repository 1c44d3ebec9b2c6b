// The errors of the API over HTTP.

import API
import Engine
import HTTP
import JSON
import Text

/// A request that does not reach the service.
package enum WebProblem: Error, Sendable {
    case noRoute
    case otherMethod([String])
    case notJSON
    case malformed([Problem])
    case revisionNeeded
    case noCondition
    case severalTags
    /// The service does not answer.
    case noService

    package var response: HTTPResponse {
        var problem: ProblemDocument
        switch self {
        case .noRoute:
            problem = ProblemDocument(
                .notFound, "noRoute", "There is nothing at this address. The API begins at /api/1")
        case .otherMethod(let allowed):
            let names = allowed.joined(separator: ", ")
            problem = ProblemDocument(.methodNotAllowed, "otherMethod", "This address knows only \(names)")
            return .problem(problem).adding("Allow", names)
        case .notJSON:
            problem = ProblemDocument(
                .unsupportedMediaType, "notJSON", "The body must be JSON, with Content-Type: application/json")
        case .malformed(let problems):
            problem = ProblemDocument(
                .badRequest, "malformed", problems.map(\.description).joined(separator: "; "))
            problem.mistakes = problems.map { ProblemDocument.Mistake($0) }
        case .revisionNeeded:
            problem = ProblemDocument(
                .preconditionRequired, "revisionNeeded",
                "Send If-Match with the ETag that you have seen, or If-Match: * to overwrite any")
        case .noCondition:
            problem = ProblemDocument(.badRequest, "noCondition", "This request has no If-Match")
        case .severalTags:
            problem = ProblemDocument(.badRequest, "severalTags", "If-Match must have one tag or be *")
        case .noService:
            problem = ProblemDocument(
                .unavailable, "noService", "Rooster's service does not answer. It is starting, or has stopped")
            problem.retryAfterSeconds = 2
        }
        return .problem(problem)
    }
}

extension ErrorCode {
    /// The status code of an error: 423 if a ring protects the alarm, and 409 if the present state forbids
    /// the request.
    package var status: HTTPStatus {
        switch self {
        case .malformed: .badRequest
        case .problems, .randomTag: .unprocessable
        case .unpaired: .unauthorized
        case .notAllowed: .forbidden
        case .noSuchAlarm, .noSuchCode, .noSuchClient, .noSuchPairing, .noInvitation, .noSuchSound: .notFound
        case .locked: .locked
        case .changedMeanwhile: .preconditionFailed
        case .lockedOut, .pairLater: .tooManyRequests
        default: isTemporary ? .unavailable : .conflict
        }
    }

    /// The wait after which a client may try again.
    fileprivate var retryAfterSeconds: Int? {
        switch self {
        case .busy: 1
        case .notReady, .notKept: 5
        default: nil
        }
    }
}

extension ProblemDocument {
    /// Describes an error of the service. `spec` tells which field was the body.
    package init(_ error: ErrorResponse, of spec: RequestSpec) {
        self.init(error.code.status, error.code.rawValue, error.message)
        let body = spec.bodyField
        mistakes = error.problems.map { report in
            var path = report.path
            if let body, path == body || path.hasPrefix("\(body).") || path.hasPrefix("\(body)[") {
                path = String(path.dropFirst(body.count))
            }
            return Mistake(path: path, detail: report.message)
        }
        retryAfterSeconds = error.code.retryAfterSeconds ?? error.asked?.lockedOutSeconds ?? error.retrySeconds
        let known: Set = ["code", "message", "problems"]
        members = JSON(encoding: error).members.filter { !known.contains($0.name) && $0.value != .null }.map {
            // The status code has this name.
            $0.name == "status" ? JSON.Member("present", $0.value) : $0
        }
    }
}
