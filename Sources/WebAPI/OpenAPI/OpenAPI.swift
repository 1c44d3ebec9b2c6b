// The description of the API for tools (OpenAPI 3.1), made from the table of requests.

import API
import Engine
import HTTP
import JSON

/// The OpenAPI document. Requests, responses and their members come from the types of `API`, so that no
/// description can differ from the code. It is made on demand, because it is too large to be kept.
package struct OpenAPI {
    /// Examples for one request.
    package struct Example: Sendable {
        /// The fields of the request.
        package let fields: [JSON.Member]
        /// The body of a response; nil without an example.
        package let response: JSON?
        package let status: HTTPStatus

        package init(fields: [JSON.Member], response: JSON? = nil, status: HTTPStatus = .ok) {
            (self.fields, self.response, self.status) = (fields, response, status)
        }
    }

    /// The path of the document.
    package static let path = Route.prefix + ["openapi.json"]

    private let version: String
    private let examples: [String: Example]
    private var schemas = SchemaTable()

    /// - Parameter examples: the examples by the names of the requests.
    package init(version: String, examples: [String: Example] = [:]) {
        (self.version, self.examples) = (version, examples)
    }

    private static let description = """
        The API of the alarm clock Rooster. docs/HTTP.md has examples for a shell. An empty body stands for {}. \
        A member that is null means the same as a missing one. HEAD has the response of GET without its body. \
        Errors are problems (RFC 9457). Only if a request is no valid HTTP, is too long, or if memory is short, \
        libmicrohttpd itself may respond with 400, 413, 431 or 500, and with HTML.
        """

    /// The document.
    package var document: JSON {
        mutating get {
            var paths: [(path: String, operations: [JSON.Member])] = []
            for type in RequestSpec.all {
                let path = type.spec.httpPath
                let operation = JSON.Member(type.spec.method.rawValue.lowercased(), operation(type))
                if let index = paths.firstIndex(where: { $0.path == path }) {
                    paths[index].operations.append(operation)
                } else {
                    paths.append((path, [operation]))
                }
            }
            paths.append(("/\(OpenAPI.path.joined(separator: "/"))", [JSON.Member("get", ownOperation)]))
            return [
                "openapi": "3.1.0",
                "info": [
                    "title": "Rooster", "version": .string(version), "description": .string(OpenAPI.description),
                    "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
                ],
                "servers": [["url": "/"]],
                "security": [["token": []], ["cookie": []]],
                "paths": .object(paths.map { JSON.Member($0.path, .object($0.operations)) }),
                "components": [
                    "schemas": schemas.components, "responses": OpenAPI.errorResponses,
                    "securitySchemes": [
                        "token": ["type": "http", "scheme": "bearer"],
                        "cookie": ["type": "apiKey", "in": "cookie", "name": .string(RequestGate.cookieName)],
                    ],
                ],
            ]
        }
    }

    private var ownOperation: JSON {
        [
            "operationId": "openapi", "summary": "Returns this document, without the examples",
            "responses": [
                "200": ["description": "OK", "content": ["application/json": ["schema": ["type": "object"]]]],
                "401": OpenAPI.reference(to: .unauthorized), "403": OpenAPI.reference(to: .forbidden),
                "503": OpenAPI.reference(to: .unavailable), "default": OpenAPI.otherResponse,
            ],
        ]
    }

    // MARK: operations

    private mutating func operation(_ type: any Request.Type) -> JSON {
        let (spec, example) = (type.spec, examples[type.spec.name])
        var parameters: [JSON] = []
        var members: [Schema.Field] = []
        for field in type.fields where !spec.pieceFields.contains(field.name) {
            if spec.pathFields.contains(field.name) {
                parameters.append(parameter(field, in: "path", spec, example))
            } else if field.name != spec.bodyField {
                if spec.method == .get || spec.bodyField != nil {
                    parameters.append(parameter(field, in: "query", spec, example))
                } else {
                    members.append(field)
                }
            }
        }
        parameters += headers(of: spec)
        var operation = [
            JSON.Member("operationId", .string(spec.name)), JSON.Member("summary", .string(spec.summary)),
        ]
        operation.append(
            spec.may.map { JSON.Member("description", .string("Needs the right \"\($0.rawValue)\".")) }
                ?? JSON.Member("security", []))
        if !parameters.isEmpty { operation.append(JSON.Member("parameters", .array(parameters))) }
        if let body = body(type, members, example) { operation.append(JSON.Member("requestBody", body)) }
        operation.append(JSON.Member("responses", responses(type, example)))
        return .object(operation)
    }

    private mutating func parameter(
        _ field: Schema.Field, in place: String, _ spec: RequestSpec, _ example: Example?
    ) -> JSON {
        var members = [
            JSON.Member("name", .string(field.name)), JSON.Member("in", .string(place)),
            JSON.Member("required", .bool(place == "path" || !field.isOptional)),
        ]
        if let text = spec.fieldDescriptions[field.name] { members.append(JSON.Member("description", .string(text))) }
        var schema = schemas.schema(field.schema)
        if case .simple(_, .string) = field.schema, schema.member("enum") == nil, schema.member("format") == nil {
            let pattern = place == "path" ? OpenAPI.segment : OpenAPI.queryText
            schema = .object(schema.members + [JSON.Member("pattern", .string(pattern))])
        }
        members.append(JSON.Member("schema", schema))
        if case .list = field.schema {
            members += [JSON.Member("style", "form"), JSON.Member("explode", .bool(false))]
        }
        if let value = example?.value(of: field.name) { members.append(JSON.Member("example", value)) }
        return .object(members)
    }

    /// The pattern of a text in the path: neither empty nor "." nor "..", and without control characters.
    private static let segment = #"^(?!\.{1,2}$)[^\u0000-\u001F\u007F-\u009F]+$"#
    private static let queryText = #"^[^\u0000-\u001F\u007F-\u009F]*$"#

    /// The headers that a request may have.
    private func headers(of spec: RequestSpec) -> [JSON] {
        func header(
            _ name: String, _ text: String, pattern: String, example: String, isRequired: Bool = false
        ) -> JSON {
            [
                "name": .string(name), "in": "header", "required": .bool(isRequired), "description": .string(text),
                "schema": ["type": "string", "pattern": .string(pattern)], "example": .string(example),
            ]
        }
        let tag = #"^(\*|"[!#-~]*")$"#
        var headers: [JSON] = []
        if spec.conditions.contains(.ifRevision) {
            headers.append(
                header(
                    "If-Match", "The ETag that the client has seen, or * for any", pattern: tag, example: "*",
                    isRequired: spec.needsRevision))
        }
        if spec.showsRevision, spec.method == .get {
            headers.append(header("If-None-Match", "The ETag that the client has", pattern: tag, example: "\"9f1c\""))
        }
        // Without a token, another client could guess the key.
        if spec.changes, spec.may != nil {
            headers.append(
                header(
                    "Idempotency-Key",
                    "If the same client repeats the request with the same key, it is not done again",
                    pattern: #"^[ !#-\[\]-~]{1,\#(HeadLimits.keyBytesMax)}$"#, example: "k1"))
        }
        if spec.name == Follow.spec.name {
            headers.append(
                header(
                    "Last-Event-ID", "The id of the last record, which stands for `since`", pattern: "^[0-9]*$",
                    example: "41"))
        }
        return headers
    }

    private mutating func body(_ type: any Request.Type, _ members: [Schema.Field], _ example: Example?) -> JSON? {
        let spec = type.spec
        guard spec.hasBody else { return nil }
        guard !spec.takesFile else {
            let file: JSON = ["schema": [:]]
            return ["required": .bool(true), "content": ["audio/*": file, "application/octet-stream": file]]
        }
        var content: [JSON.Member] = []
        // An empty body stands for {}, which lacks the members that are required.
        let isRequired = spec.bodyField == nil && members.contains { !$0.isOptional }
        if let name = spec.bodyField, let field = type.fields.first(where: { $0.name == name }) {
            content = [JSON.Member("schema", schemas.schema(field.schema))]
            if let value = example?.value(of: name) { content.append(JSON.Member("example", value)) }
        } else {
            var fields = members
            if spec.conditions.contains(.ifRing) {
                fields.append(Schema.Field("ifRing", Schema(of: RingReference.self), isOptional: true))
            }
            guard !fields.isEmpty else { return nil }
            content = [JSON.Member("schema", schemas.closedObject(fields, spec.fieldDescriptions))]
            let names = members.map(\.name)
            let values = (example?.fields ?? []).filter { names.contains($0.name) }
            content.append(JSON.Member("example", .object(values)))
        }
        return ["required": .bool(isRequired), "content": ["application/json": .object(content)]]
    }

    // MARK: responses

    private mutating func responses(_ type: any Request.Type, _ example: Example?) -> JSON {
        let spec = type.spec
        var members = [JSON.Member(String(spec.successStatus.rawValue), success(type, example))]
        for status in spec.otherStatuses {
            var response = OpenAPI.reference(to: status)
            if let example, let body = example.response, example.status == status {
                // A reference has no room for an example.
                response = OpenAPI.errorResponse(status, example: body)
            }
            members.append(JSON.Member(String(status.rawValue), response))
        }
        return .object(members + [JSON.Member("default", OpenAPI.otherResponse)])
    }

    private mutating func success(_ type: any Request.Type, _ example: Example?) -> JSON {
        let spec = type.spec
        guard spec.name != Follow.spec.name else { return stream(type) }
        guard spec.media.isEmpty else {
            let content = spec.media.map { JSON.Member($0, ["schema": [:]]) }
            return ["description": .string(spec.successStatus.reason), "content": .object(content)]
        }
        var response = type.response
        if let name = spec.responseField, let field = response.fields.first(where: { $0.name == name }) {
            response = field.schema
        }
        var schema = schemas.schema(response)
        // Any change may have warnings, and so may the validation of one.
        if spec.changes || spec.name == ValidateAlarm.spec.name {
            let warned = schemas.openObject([
                Schema.Field("warnings", .list(Schema(of: ProblemReport.self)), isOptional: true)
            ])
            schema = ["allOf": [schema, warned]]
        }
        var content = [JSON.Member("schema", schema)]
        if let example, example.status == spec.successStatus, let value = example.response {
            content.append(JSON.Member("example", value))
        }
        var members = [
            JSON.Member("description", .string(spec.successStatus.reason)),
            JSON.Member("content", ["application/json": .object(content)]),
        ]
        if spec.showsRevision {
            let tag: JSON = ["description": "The revision", "schema": ["type": "string"]]
            members.append(JSON.Member("headers", ["ETag": tag]))
        }
        let links = OpenAPI.links(from: spec)
        if !links.isEmpty { members.append(JSON.Member("links", .object(links))) }
        return .object(members)
    }

    private mutating func stream(_ type: any Request.Type) -> JSON {
        let text =
            "Server-sent events. `data` is the member of FollowEvent with the name of `event`; only `record` has an "
            + "`id`. The stream begins with `status`. `resync` says that records are missing before the next one, and "
            + "`bye` that the client has opened too many streams. A comment comes at least every 15 seconds."
        _ = schemas.schema(type.response)
        let example = "event: status\nretry: 1000\ndata: {}\n\nid: 42\nevent: record\ndata: {\"sequence\":42}\n\n"
        return [
            "description": .string(text),
            "content": ["text/event-stream": ["schema": ["type": "string"], "example": .string(example)]],
        ]
    }

    /// Returns the requests that may follow the addition of an object, with its id.
    private static func links(from spec: RequestSpec) -> [JSON.Member] {
        let additions = [
            AddAlarm.spec.name: ("alarm", "$response.body#/id"),
            AddToken.spec.name: ("client", "$response.body#/client/id"),
        ]
        guard let (field, place) = additions[spec.name] else { return [] }
        return RequestSpec.all.map { $0.spec }.filter { $0.pathFields == [field] }.map { next in
            JSON.Member(
                next.name, ["operationId": .string(next.name), "parameters": .object([.init(field, .string(place))])])
        }
    }
}

extension OpenAPI.Example {
    fileprivate func value(of field: String) -> JSON? { fields.first { $0.name == field }?.value }
}

extension RequestSpec {
    /// The path over HTTP, with the fields in braces.
    fileprivate var httpPath: String { "/\(Route.prefix.joined(separator: "/"))\(path == "/" ? "" : path)" }

    /// The names of the fields in the path.
    fileprivate var pathFields: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    var hasBody: Bool { method != .get && method != .delete }
}
