// The completion of scripted responses, so that a script only contains the members its test is about.

import API
import JSON

extension JSON {
    /// Returns the response with all required members. An error may be short: its code as `reason`.
    func completed(for request: any Request.Type) -> JSON {
        guard member("ok") != .bool(false) else {
            guard case .string = member("reason") else { return self }
            let named = members.filter { $0.name != "ok" }.map {
                Member($0.name == "reason" ? "code" : $0.name, $0.value)
            }
            let error = JSON.object(named).completed(by: Schema(of: ErrorResponse.self))
            return .object([.init("ok", .bool(false)), .init("error", error)])
        }
        let warnings = member("warnings").map { $0.completed(by: .list(Schema(of: ProblemReport.self))) }
        guard case .object(let members) = completed(by: request.response) else { return self }
        // If the response's type has a member `warnings`, that member is already complete.
        let isOwn = request.response.fields.contains { $0.name == "warnings" }
        return .object(members.map { !isOwn && $0.name == "warnings" ? Member("warnings", warnings ?? .null) : $0 })
    }

    private func completed(by schema: Schema) -> JSON {
        switch (schema, self) {
        case (.list(let element), .array(let elements)): return .array(elements.map { $0.completed(by: element) })
        // A problem may be written as one string, with its path before the colon.
        case (.object("ProblemReport", _), .string(let text)):
            let parts = text.split(separator: ": ", maxSplits: 1).map(String.init)
            let (path, message) = parts.count == 2 ? (parts[0], parts[1]) : ("", text)
            return .object([.init("path", .string(path)), .init("message", .string(message))])
        case (.object(_, let fields), .object(let members)):
            let known = members.map { member in
                let field = fields.first { $0.name == member.name }
                return Member(member.name, field.map { member.value.completed(by: $0.schema) } ?? member.value)
            }
            let missing = fields.filter { field in !field.isOptional && !members.contains { $0.name == field.name } }
            return .object(known + missing.map { Member($0.name, $0.schema.sample) })
        default: return self
        }
    }
}
