// JSON Schemas (draft 2020-12) from the shapes of the types.

import API
import Alarms
import CivilTime
import JSON

/// The schemas of the objects in a document, each once.
struct SchemaTable {
    private var objects: [String: JSON] = [:]

    /// The condition of a request. A misspelt member in it could end another ring, so it is refused.
    private static let ring = "\(Schema(of: RingReference.self))"

    /// The schemas by name, for `#/components/schemas`.
    var components: JSON {
        mutating get {
            objects["Problem"] = problem
            return .object(objects.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) })
        }
    }

    /// Returns the schema of a shape. Objects become references to schemas that are added to the table.
    mutating func schema(_ schema: Schema) -> JSON {
        switch schema {
        case .simple(let text, let sample): return SchemaTable.simple(text, sample)
        case .list(let element): return ["type": "array", "items": self.schema(element)]
        case .object(let name, let fields):
            if objects[name] == nil {
                // An object may contain others of its kind.
                objects[name] = [:]
                let isClosed = name == SchemaTable.ring
                objects[name] = isClosed ? closedObject(fields, [:]) : openObject(fields)
            }
            return ["$ref": .string("#/components/schemas/\(name)")]
        }
    }

    /// Returns the schema of an object that may have further members.
    mutating func openObject(_ fields: [Schema.Field]) -> JSON { .object(object(fields, [:])) }

    /// Returns the schema of an object without further members.
    mutating func closedObject(_ fields: [Schema.Field], _ descriptions: [String: String]) -> JSON {
        .object(object(fields, descriptions) + [JSON.Member("additionalProperties", .bool(false))])
    }

    private mutating func object(_ fields: [Schema.Field], _ descriptions: [String: String]) -> [JSON.Member] {
        let properties = fields.map { field in
            var described = schema(field.schema)
            if field.isOptional { described = SchemaTable.orNull(described) }
            if let text = descriptions[field.name] {
                let others = described.members.filter { $0.name != "description" }
                described = .object(others + [JSON.Member("description", .string(text))])
            }
            return JSON.Member(field.name, described)
        }
        let required = fields.filter { !$0.isOptional }.map { JSON.string($0.name) }
        var members = [JSON.Member("type", "object"), JSON.Member("properties", .object(properties))]
        if !required.isEmpty { members.append(JSON.Member("required", .array(required))) }
        return members
    }

    /// Returns a schema that allows null as well: a member that is null counts as missing.
    private static func orNull(_ schema: JSON) -> JSON {
        guard let type = schema.member("type") else {
            return schema.members.isEmpty ? schema : ["anyOf": [schema, ["type": "null"]]]
        }
        return .object(
            schema.members.map { member in
                switch (member.name, member.value) {
                case ("type", _): JSON.Member("type", [type, "null"])
                case ("enum", .array(let values)): JSON.Member("enum", .array(values + [.null]))
                default: member
                }
            })
    }

    private static func simple(_ text: String, _ sample: JSON) -> JSON {
        let description = JSON.Member("description", .string(text))
        if let form = forms[text] { return .object(form + [description]) }
        switch sample {
        case .bool: return ["type": "boolean"]
        case .number where text == "a number": return ["type": "number"]
        case .number: return .object([JSON.Member("type", "integer")] + wholeRange + [description])
        case .string where text.hasPrefix("one of "):
            let names = text.dropFirst("one of ".count).split(separator: ",").map { $0.drop { $0 == " " } }
            return ["type": "string", "enum": .array(names.map { .string(String($0)) })]
        case .string: return .object([JSON.Member("type", "string"), description])
        case .object: return .object([JSON.Member("type", "object"), description])
        case .array: return .object([JSON.Member("type", "array"), description])
        case .null: return [:]
        }
    }

    /// The whole numbers that every program can represent.
    private static let wholeRange: [JSON.Member] = [
        .init("format", "int64"), .init("minimum", -9_007_199_254_740_991), .init("maximum", 9_007_199_254_740_991),
    ]

    /// The forms of texts that JSON Schema has a word for.
    private static let forms: [String: [JSON.Member]] = [
        Timestamp.expected: [.init("type", "string"), .init("format", "date-time")],
        LocalTime.expected: [.init("type", "string"), .init("format", "date-time")],
        CivilDate.expected: [.init("type", "string"), .init("format", "date")],
        ClockTime.expected: [.init("type", "string"), .init("pattern", #"^\d\d:\d\d(:\d\d)?$"#)],
        DayRule.expected: [.init("type", "string"), .init("pattern", #"^(\d\d:\d\d(:\d\d)?|off)$"#)],
        Weekday.expected: [
            .init("type", "string"), .init("enum", .array(Weekday.allCases.map { .string($0.shortName) })),
        ],
        "\(HourFormat.schema)": [.init("type", "integer"), .init("enum", [12, 24])],
    ]

    /// The schema of an error.
    private var problem: JSON {
        mutating get {
            let known: Set = ["code", "message", "problems", "status"]
            let own: [JSON.Member] = [
                JSON.Member("type", ["type": "string", "format": "uri-reference"]),
                JSON.Member("title", ["type": "string"]),
                JSON.Member("status", ["type": "integer"]),
                JSON.Member("detail", ["type": "string", "description": "the reason, for people"]),
                JSON.Member("name", ["type": "string", "description": "the kind of error, for programs"]),
                JSON.Member(
                    "errors",
                    [
                        "type": "array",
                        "items": [
                            "type": "object",
                            "properties": [
                                "pointer": ["type": "string", "description": "a JSON pointer into the body"],
                                "detail": ["type": "string"],
                            ],
                            "required": ["pointer", "detail"],
                        ],
                    ]),
                JSON.Member(
                    "present",
                    [
                        "type": "object",
                        "description":
                            "the present object, with 412; the present status, if a snooze or a stop has failed",
                    ]),
            ]
            let further = Schema(of: ErrorResponse.self).fields.filter { !known.contains($0.name) }
            return [
                "type": "object",
                "properties": .object(own + (openObject(further).member("properties")?.members ?? [])),
                "required": ["type", "title", "status", "detail", "name"],
            ]
        }
    }
}
