// The tests of `docs/FORMAT.md`: it lists each request and report as the types define them.

import Foundation
import JSON
import Testing

@testable import API

@Suite struct FormatDocumentTests {
    private static let path =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/docs/FORMAT.md"
    private static let mark =
        "<!-- Generated from Sources/API: FormatDocumentTests with ROOSTER_WRITE_FORMAT=1 writes the rest. -->"

    @Test func document_matchesTheTypes() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let parts = text.components(separatedBy: Self.mark)
        try #require(parts.count == 2)
        let tables = "\n\n" + Self.tables
        if ProcessInfo.processInfo.environment["ROOSTER_WRITE_FORMAT"] != nil {
            try (parts[0] + Self.mark + tables).write(toFile: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(parts[1] == tables)
        }
    }

    private static var tables: String {
        var reports: [String: [Schema.Field]] = [:]
        func note(_ schema: Schema) {
            switch schema {
            case .simple: break
            case .list(let element): note(element)
            case .object(let name, let fields):
                reports[name] = fields
                for field in fields { note(field.schema) }
            }
        }
        var text = "### Requests\n"
        for request in RequestSpec.all {
            let spec = request.spec
            text += "\n#### `\(spec.name)`\n\n`\(spec.method.rawValue) \(spec.path)`: \(spec.summary).\n"
            if !request.fields.isEmpty {
                text += "\n| field | type | meaning |\n|---|---|---|\n"
                for field in request.fields {
                    note(field.schema)
                    text += "| `\(field.name)` | \(typeText(field)) | \(spec.fieldDescriptions[field.name] ?? "") |\n"
                }
            }
            if !spec.conditions.isEmpty {
                text += "\nConditions: \(spec.conditions.map { "`\($0.rawValue)`" }.joined(separator: ", ")).\n"
            }
            let isOwn = request.response.description.hasSuffix(".Response")
            if isOwn || request.response.fields.isEmpty {
                let fields = request.response.fields.map { "`\($0.name)` (\(typeText($0)))" }
                text += "\nResponse: \(fields.isEmpty ? "no members" : fields.joined(separator: ", ")).\n"
                for field in request.response.fields { note(field.schema) }
            } else {
                text += "\nResponse: \(request.response).\n"
                note(request.response)
            }
        }
        note(Schema(of: ErrorResponse.self))
        text += "\n### Types in requests and responses\n"
        for (name, fields) in reports.sorted(by: { $0.key < $1.key }) {
            text += "\n#### \(name)\n\n| member | type |\n|---|---|\n"
            for field in fields { text += "| `\(field.name)` | \(typeText(field)) |\n" }
        }
        return text
    }

    private static func typeText(_ field: Schema.Field) -> String {
        "\(field.schema)\(field.isOptional ? " (optional)" : "")"
    }
}
