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
        let rows = table[path.first ?? ""] ?? []
        let found = rows.compactMap { row in row.match(path).map { (row.type, $0) } }
        // A response without a body would lose the token, which is given out once.
        let isLost = request.method == .head && found.contains { $0.0.spec.givesCookie }
        if !isLost, let (type, fields) = found.first(where: { $0.0.spec.method.rawValue == method.rawValue }) {
            return .route(Route(type: type, pathFields: fields))
        }
        let allowed = found.map { $0.0.spec.method.rawValue }
        return allowed.isEmpty ? .none : .otherMethod(allowed: allowed.contains("GET") ? allowed + ["HEAD"] : allowed)
    }

    private struct Row {
        let type: any Request.Type
        /// The names of fixed segments, and nil for each field.
        let segments: [String?]
        let fields: [String]

        init(_ type: any Request.Type) {
            self.type = type
            let names = type.spec.path.split(separator: "/")
            segments = names.map { $0.hasPrefix("{") ? nil : String($0) }
            fields = names.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        }

        /// Returns the fields of a path of this row; nil for another path.
        func match(_ path: [String]) -> [(name: String, value: String)]? {
            guard path.count == segments.count else { return nil }
            for (segment, value) in zip(segments, path) where segment != nil && segment != value { return nil }
            let values = zip(segments, path).filter { $0.0 == nil }.map(\.1)
            return Array(zip(fields, values))
        }
    }

    /// The rows by the first segment of their paths, which is fixed. A fixed segment comes before a field, so
    /// `/codes/test` is no code.
    private static let table = Dictionary(
        grouping: RequestSpec.all.map { Row($0) }.sorted { $0.fields.count < $1.fields.count }
    ) { ($0.segments.first ?? nil) ?? "" }
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

    /// True if the body over HTTP is a file, which reaches the service in pieces.
    package var takesFile: Bool { name == AddSound.spec.name }

    /// The fields that describe a piece of a file. Over HTTP the body stands for them.
    var pieceFields: Set<String> { takesFile ? ["upload", "size", "offset", "data"] : [] }

    /// True if a change needs the revision that its client has seen.
    package var needsRevision: Bool {
        conditions.contains(.ifRevision) && [.put, .patch, .delete].contains(method)
    }
}
