// The routes: which request of the API an HTTP request is.

import API
import HTTP

/// The request of the API that an HTTP request names, with the values of its path.
package struct Route: Sendable {
    let type: any Request.Type
    /// The fields whose values stand in the path.
    let pathFields: [(name: String, value: String)]

    package var spec: RequestSpec { type.spec }

    /// The path before all routes.
    package static let prefix = ["api", "1"]

    package enum Match: Sendable {
        case route(Route)
        /// The path exists, with other methods.
        case otherMethod(allowed: [String])
        case none
    }

    package static func find(_ request: HTTPRequest) -> Match {
        guard request.path.starts(with: prefix) else { return .none }
        let path = Array(request.path.dropFirst(prefix.count))
        let method = request.method == .head ? .get : request.method
        let found = table.compactMap { row in row.match(path).map { (row.type, $0) } }
        if let (type, fields) = found.first(where: { $0.0.spec.method.rawValue == method.rawValue }) {
            return .route(Route(type: type, pathFields: fields))
        }
        let allowed = found.map { $0.0.spec.method.rawValue }
        return allowed.isEmpty ? .none : .otherMethod(allowed: allowed.contains("GET") ? allowed + ["HEAD"] : allowed)
    }

    private struct Row {
        let type: any Request.Type
        let segments: [Substring]

        init(_ type: any Request.Type) {
            self.type = type
            segments = type.spec.path.split(separator: "/")
        }

        var fieldCount: Int { segments.count { $0.hasPrefix("{") } }

        /// Returns the fields of a path of this row; nil for another path.
        func match(_ path: [String]) -> [(name: String, value: String)]? {
            guard path.count == segments.count else { return nil }
            var fields: [(String, String)] = []
            for (segment, value) in zip(segments, path) {
                if segment.hasPrefix("{") {
                    fields.append((String(segment.dropFirst().dropLast()), value))
                } else if segment != value {
                    return nil
                }
            }
            return fields
        }
    }

    /// A fixed segment comes before a field, so `/codes/test` is no code.
    private static let table = RequestSpec.all.map { Row($0) }.sorted { $0.fieldCount < $1.fieldCount }
}

extension RequestSpec {
    /// The field that is the whole body over HTTP; nil if the body is an object of the fields.
    package var bodyField: String? {
        switch name {
        case "add": "alarm"
        case "save": "content"
        case "edit", "configure": "changes"
        case "saveCalendar": "calendar"
        case "import": "file"
        default: nil
        }
    }

    /// The member that is the whole body of the response over HTTP; nil if the body is the response.
    package var responseField: String? { name == "export" ? "file" : nil }

    /// True if a change needs the revision that its client has seen.
    package var needsRevision: Bool {
        conditions.contains(.ifRevision) && [.put, .patch, .delete].contains(method)
    }
}
