// The body of a response that reports an error (RFC 9457, `application/problem+json`).

import JSON
import Text

package struct ProblemDocument: Hashable, Sendable {
    /// A mistake in one member of the request's body.
    package struct Mistake: Hashable, Sendable {
        /// A JSON pointer as a fragment, such as `#/alarms/2/time`; `#` for the whole body.
        package let pointer: String
        package let detail: String

        package init(pointer: String, detail: String) { (self.pointer, self.detail) = (pointer, detail) }

        /// Creates the mistake of a path such as `alarms[2].weekly.tue`.
        package init(path: String, detail: String) {
            let names = path.split { ".[]".contains($0) }.map { name in
                PercentCoding.encoded(String(name.replacing("~", with: "~0").replacing("/", with: "~1")))
            }
            self.init(pointer: (["#"] + names).joined(separator: "/"), detail: detail)
        }

        package init(_ problem: Problem) { self.init(path: problem.path, detail: problem.reason) }
    }

    package let status: HTTPStatus
    /// The code of the error, for programs. `type` contains it as well.
    package let name: String
    package let detail: String
    package var mistakes: [Mistake] = []
    package var retryAfterSeconds: Int?
    /// Further members, such as the present object after a failed If-Match.
    package var members: [JSON.Member] = []

    package init(_ status: HTTPStatus, _ name: String, _ detail: String) {
        self.status = status
        self.name = name
        self.detail = detail
    }

    package init(_ refusal: GateRefusal) { self.init(refusal.status, refusal.rawValue, refusal.sentence) }

    package var json: JSON {
        var members = [
            JSON.Member("type", .string("/problems/\(PercentCoding.encoded(name))")),
            JSON.Member("title", .string(status.reason)),
            JSON.Member("status", .number(status.rawValue)),
            JSON.Member("detail", .string(detail)),
            JSON.Member("name", .string(name)),
        ]
        if !mistakes.isEmpty {
            let errors = mistakes.map { mistake in
                JSON.object([
                    JSON.Member("pointer", .string(mistake.pointer)), JSON.Member("detail", .string(mistake.detail)),
                ])
            }
            members.append(JSON.Member("errors", .array(errors)))
        }
        return .object(members + self.members)
    }
}
