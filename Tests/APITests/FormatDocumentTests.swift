// `docs/FORMAT.md` has each form and each report as the types have them.

import Foundation
import Testing

@testable import API

@Suite struct FormatDocumentTests {
    private static let path =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/docs/FORMAT.md"
    private static let mark =
        "<!-- What follows is made of Sources/Vocabulary: ROOSTER_NOTE_FORMS=1 in a run of this test writes it. -->"

    @Test func document_isAsTheTypesAre() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let parts = text.components(separatedBy: Self.mark)
        try #require(parts.count == 2)
        let tables = "\n\n" + Self.tables
        if ProcessInfo.processInfo.environment["ROOSTER_NOTE_FORMS"] != nil {
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
        for form in Forms.all {
            let row = form.row
            text += "\n#### `\(row.name)`\n\n`\(row.method.rawValue) \(row.path)`: \(row.words).\n"
            if !form.fields.isEmpty {
                text += "\n| field | | what for |\n|---|---|---|\n"
                for field in form.fields {
                    text += "| `\(field.name)` | \(words(field)) | \(row.fieldWords[field.name] ?? "") |\n"
                }
            }
            if !row.conditions.isEmpty {
                text += "\nOnly if: \(row.conditions.map { "`\($0.rawValue)`" }.joined(separator: ", ")).\n"
            }
            let isOwn = form.answer.description.hasSuffix(".Answer")
            if isOwn || form.answer.fields.isEmpty {
                let fields = form.answer.fields.map { "`\($0.name)` (\(words($0)))" }
                text += "\nAnswer: \(fields.isEmpty ? "nothing more" : fields.joined(separator: ", ")).\n"
                for field in form.answer.fields { note(field.schema) }
            } else {
                text += "\nAnswer: as \(form.answer).\n"
                note(form.answer)
            }
        }
        note(Schema(of: Refused.self))
        text += "\n### What answers are made of\n"
        for (name, fields) in reports.sorted(by: { $0.key < $1.key }) {
            text += "\n#### \(name)\n\n| member | |\n|---|---|\n"
            for field in fields { text += "| `\(field.name)` | \(words(field)) |\n" }
        }
        return text
    }

    private static func words(_ field: Schema.Field) -> String {
        "\(field.schema)\(field.isOptional ? ", or missing" : "")"
    }
}
