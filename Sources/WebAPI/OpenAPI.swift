// The description of the API for tools (OpenAPI 3.1), made from the table of requests.

import API
import JSON

/// The OpenAPI document. Requests, responses and their members come from the types of `API`.
package struct OpenAPI {
    /// An example of a request and of its response.
    package struct Example: Sendable {
        package let fields: [JSON.Member]
        package let response: JSON?

        package init(fields: [JSON.Member], response: JSON?) { (self.fields, self.response) = (fields, response) }
    }

    private var schemas: [String: JSON] = [:]

    package init() {}

    /// Makes the document, with the examples by the names of the requests.
    package mutating func document(version: String, examples: [String: Example] = [:]) -> JSON {
        var paths: [(path: String, operations: [JSON.Member])] = []
        for type in RequestSpec.all {
            let spec = type.spec
            let operation = JSON.Member(spec.method.rawValue.lowercased(), operation(type, examples[spec.name]))
            if let index = paths.firstIndex(where: { $0.path == spec.path }) {
                paths[index].operations.append(operation)
            } else {
                paths.append((spec.path, [operation]))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Rooster", "version": .string(version),
                "description":
                    "The API of the alarm clock Rooster. An empty body is {}. docs/HTTP.md has examples for a shell.",
                "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/api/1"]],
            "security": [["token": []], ["cookie": []]],
            "paths": .object(paths.map { JSON.Member($0.path, .object($0.operations)) }),
            "components": [
                "schemas": .object(
                    ([("Problem", OpenAPI.problem)] + schemas.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
                        .map { JSON.Member($0.0, $0.1) }),
                "responses": [
                    "problem": [
                        "description": "The request failed",
                        "content": [
                            "application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]],
                            "text/html": ["schema": ["type": "string"]],
                        ],
                    ]
                ],
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "cookie": ["type": "apiKey", "in": "cookie", "name": "rooster"],
                ],
            ],
        ]
    }

    private mutating func operation(_ type: any Request.Type, _ example: Example?) -> JSON {
        let spec = type.spec
        let inPath = spec.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        let isQuery = spec.method == .get || spec.bodyField != nil
        var parameters: [JSON] = []
        var members: [Schema.Field] = []
        for field in type.fields {
            if inPath.contains(field.name) {
                parameters.append(parameter(field, in: "path", spec))
            } else if field.name != spec.bodyField {
                if isQuery { parameters.append(parameter(field, in: "query", spec)) } else { members.append(field) }
            }
        }
        if spec.conditions.contains(.ifRevision) {
            parameters.append(
                header("If-Match", "The ETag that the client has seen, or * for any", isRequired: spec.needsRevision))
        }
        if spec.changes {
            parameters.append(
                header(
                    "Idempotency-Key", "A request that is repeated with the same key is done once", isRequired: false))
        }
        var operation: [JSON.Member] = [
            JSON.Member("operationId", .string(spec.name)), JSON.Member("summary", .string(spec.summary)),
        ]
        if !parameters.isEmpty { operation.append(JSON.Member("parameters", .array(parameters))) }
        if let body = body(type, members, example) { operation.append(JSON.Member("requestBody", body)) }
        operation.append(JSON.Member("responses", responses(type, example)))
        return .object(operation)
    }

    private mutating func parameter(_ field: Schema.Field, in place: String, _ spec: RequestSpec) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("name", .string(field.name)), JSON.Member("in", .string(place)),
            JSON.Member("required", .bool(place == "path" || !field.isOptional)),
            JSON.Member("schema", schema(field.schema)),
        ]
        if let text = spec.fieldDescriptions[field.name] { members.append(JSON.Member("description", .string(text))) }
        if case .list = field.schema {
            members += [JSON.Member("style", "form"), JSON.Member("explode", .bool(false))]
        }
        return .object(members)
    }

    private func header(_ name: String, _ text: String, isRequired: Bool) -> JSON {
        [
            "name": .string(name), "in": "header", "required": .bool(isRequired), "description": .string(text),
            "schema": ["type": "string"],
        ]
    }

    private mutating func body(_ type: any Request.Type, _ members: [Schema.Field], _ example: Example?) -> JSON? {
        let spec = type.spec
        guard spec.method != .get, spec.method != .delete else { return nil }
        var content: [JSON.Member] = []
        let isRequired: Bool
        if let name = spec.bodyField, let field = type.fields.first(where: { $0.name == name }) {
            content = [JSON.Member("schema", schema(field.schema))]
            isRequired = true
            if let value = example?.fields.first(where: { $0.name == name })?.value {
                content.append(JSON.Member("example", value))
            }
        } else {
            var all = members.map { field in
                var described = schema(field.schema)
                if let text = spec.fieldDescriptions[field.name], case .object(let known) = described,
                    !known.contains(where: { $0.name == "$ref" })
                {
                    described = .object(known + [JSON.Member("description", .string(text))])
                }
                return JSON.Member(field.name, described)
            }
            if spec.conditions.contains(.ifRing) {
                all.append(JSON.Member("ifRing", reference(to: Schema(of: RingReference.self))))
            }
            guard !all.isEmpty else { return nil }
            content = [JSON.Member("schema", object(all, required: members.filter { !$0.isOptional }.map(\.name)))]
            isRequired = members.contains { !$0.isOptional }
            let names = members.map(\.name)
            let values = (example?.fields ?? []).filter { names.contains($0.name) }
            if !values.isEmpty || !isRequired { content.append(JSON.Member("example", .object(values))) }
        }
        return ["required": .bool(isRequired), "content": ["application/json": .object(content)]]
    }

    private mutating func responses(_ type: any Request.Type, _ example: Example?) -> JSON {
        let spec = type.spec
        var members: [JSON.Member] = [JSON.Member("description", "Done")]
        if spec.name == Follow.spec.name {
            members.append(
                JSON.Member("content", ["text/event-stream": ["schema": ["type": "string"]]]))
        } else {
            var response = type.response
            if let name = spec.responseField, let field = response.fields.first(where: { $0.name == name }) {
                response = field.schema
            }
            var content: [JSON.Member] = [JSON.Member("schema", schema(response))]
            if let value = example?.response { content.append(JSON.Member("example", value)) }
            members.append(JSON.Member("content", ["application/json": .object(content)]))
        }
        return .object([
            JSON.Member(String(spec.successStatus.rawValue), .object(members)),
            JSON.Member("default", ["$ref": "#/components/responses/problem"]),
        ])
    }

    // MARK: schemas

    private mutating func schema(_ schema: Schema) -> JSON {
        switch schema {
        case .simple(let text, let sample): OpenAPI.simple(text, sample)
        case .list(let element): ["type": "array", "items": self.schema(element)]
        case .object: reference(to: schema)
        }
    }

    /// Returns a reference to an object's schema, which it adds to the document.
    private mutating func reference(to schema: Schema) -> JSON {
        guard case .object(let name, let fields) = schema else { return self.schema(schema) }
        if schemas[name] == nil {
            // An object may contain others of its kind.
            schemas[name] = .null
            let members = fields.map { field in
                let described = self.schema(field.schema)
                return JSON.Member(field.name, field.isOptional ? OpenAPI.orNull(described) : described)
            }
            schemas[name] = object(members, required: fields.filter { !$0.isOptional }.map(\.name))
        }
        return ["$ref": .string("#/components/schemas/\(name)")]
    }

    private func object(_ members: [JSON.Member], required: [String]) -> JSON {
        var object: [JSON.Member] = [JSON.Member("type", "object"), JSON.Member("properties", .object(members))]
        if !required.isEmpty { object.append(JSON.Member("required", .array(required.map { .string($0) }))) }
        return .object(object)
    }

    private static func orNull(_ schema: JSON) -> JSON {
        guard let type = schema.member("type") else {
            return schema.members.isEmpty ? schema : ["anyOf": [schema, ["type": "null"]]]
        }
        var members = schema.members.map { $0.name == "type" ? JSON.Member("type", [type, "null"]) : $0 }
        if case .array(let values)? = schema.member("enum") {
            members = members.map { $0.name == "enum" ? JSON.Member("enum", .array(values + [.null])) : $0 }
        }
        return .object(members)
    }

    private static func simple(_ text: String, _ sample: JSON) -> JSON {
        switch sample {
        case .bool: ["type": "boolean"]
        case .number: ["type": text.contains("whole") ? "integer" : "number", "description": .string(text)]
        case .string where text.hasPrefix("one of "):
            [
                "type": "string",
                "enum": .array(text.dropFirst("one of ".count).split(separator: ",").map { .string(trimmed($0)) }),
            ]
        case .string: ["type": "string", "description": .string(text)]
        case .object: ["type": "object", "description": .string(text)]
        case .array: ["type": "array", "description": .string(text)]
        case .null: [:]
        }
    }

    private static func trimmed(_ text: Substring) -> String { String(text.drop { $0 == " " }) }

    private static let problem: JSON = [
        "type": "object",
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string", "description": "the reason, for people"],
            "name": ["type": "string", "description": "the kind of error, for programs"],
            "errors": [
                "type": "array",
                "items": [
                    "type": "object",
                    "properties": ["pointer": ["type": "string"], "detail": ["type": "string"]],
                    "required": ["pointer", "detail"],
                ],
            ],
        ],
        "required": ["type", "title", "status", "detail", "name"],
    ]
}
