// The response to a request: its result or an error.

import Alarms
import Engine
import JSON
import Text

package enum ResponseEnvelope<Body: Codable & Sendable>: Sendable {
    case success(SuccessResponse<Body>)
    case failure(ErrorResponse)
}

package struct SuccessResponse<Body: Codable & Sendable>: Sendable {
    package let body: Body
    package let warnings: [ProblemReport]

    package init(_ body: Body, warnings: [ProblemReport] = []) { (self.body, self.warnings) = (body, warnings) }
}

/// The error of a failed request.
package struct ErrorResponse: Error, Codable, Hashable, Sendable {
    /// The kind of error, for programs.
    package let code: ErrorCode
    /// The text for people. It names no command and no button, because each client adds its own advice.
    package let message: String
    /// The problems of the request's fields. If the alarm is locked: the members that would make it easier.
    package var problems: [ProblemReport]
    /// The alarm that the error concerns.
    package var alarm: AlarmLabel?
    /// True if that alarm rings or is snoozed.
    package var open: Bool?
    /// The time from which its wake-up check asks; missing if none is open.
    package var asks: Timestamp?
    /// The challenge that the owner must complete first.
    package var asked: AskedReport?
    /// The present revision, if the object has changed since the client displayed it.
    package var revision: String?
    /// The seconds after which the request may be sent again.
    package var retrySeconds: Int?
    /// The status, if a snooze or a stop has failed.
    package var status: StatusReport?

    package init(_ code: ErrorCode, _ message: String, problems: [ProblemReport] = []) {
        (self.code, self.message, self.problems) = (code, message, problems)
    }

    package init(_ refusal: Refusal) {
        self.init(refusal.code, refusal.description, problems: refusal.problems.map(ProblemReport.init))
        alarm = refusal.alarm.map { AlarmLabel($0) }
        open = refusal.isOpen
        asks = refusal.asksMilliseconds.map { Timestamp(milliseconds: $0) }
        revision = refusal.revision
        retrySeconds = refusal.retrySeconds
    }

    package static func malformed(_ message: String) -> ErrorResponse { ErrorResponse(.malformed, message) }
}

/// A problem of a field, or of the whole request.
package struct ProblemReport: Codable, SparselyCoded, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field, such as `alarms[2].weekly.tue`; empty for the whole request.
    package let path: String
    package var message: String
    /// The code of a warning, for programs; missing for a problem that refuses something.
    package let code: WarningCode?

    package init(_ path: String, _ message: String, _ code: WarningCode? = nil) {
        (self.path, self.message, self.code) = (path, message, code)
    }

    package init(_ problem: Problem) { self.init(problem.path, problem.reason, problem.code) }

    package var description: String { path.isEmpty ? message.asWholeSentence : "\(path): \(message)" }
}

extension SuccessResponse {
    package var json: JSON {
        var members = JSON(encoding: body).members
        if !warnings.isEmpty { members += JSON.members(Warnings(warnings: warnings)) }
        return .object([JSON.Member("ok", .bool(true))] + members)
    }
}

extension ErrorResponse {
    package var json: JSON {
        .object([JSON.Member("ok", .bool(false)), JSON.Member("error", .object(JSON.members(self)))])
    }
}

private struct Warnings: Codable {
    let warnings: [ProblemReport]?
}

extension ResponseEnvelope {
    package var json: JSON {
        switch self {
        case .success(let response): response.json
        case .failure(let error): error.json
        }
    }

    package init(_ json: JSON) throws(JSONMismatch) {
        switch json.member("ok") {
        case .bool(true)?:
            let decoded: Warnings = try json.decoded()
            self = .success(SuccessResponse(try json.decoded(), warnings: decoded.warnings ?? []))
        case .bool(false)?: self = .failure(try (json.member("error") ?? .null).decoded(at: "error"))
        default: throw JSONMismatch("ok", "must be true or false")
        }
    }
}
