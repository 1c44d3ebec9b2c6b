// The tests of `docs/FORMAT.md`: it lists each request and report as the types define them.

import Alarms
import Foundation
import JSON
import Testing
import Text

@testable import API

@Suite struct FormatDocumentTests {
    private static let package =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let path = package + "/docs/FORMAT.md"
    private static let mark =
        "<!-- Generated from Sources/API: FormatDocumentTests with ROOSTER_WRITE_FORMAT=1 writes the rest. -->"

    @Test func document_matchesTheTypes() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let parts = text.components(separatedBy: Self.mark)
        try #require(parts.count == 2)
        var document = FormatTables(try FormatMeanings(ofSourcesAt: Self.package + "/Sources/API"))
        let tables = "\n\n" + document.text
        if ProcessInfo.processInfo.environment["ROOSTER_WRITE_FORMAT"] != nil {
            try (parts[0] + Self.mark + tables).write(toFile: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(parts[1] == tables)
        }
    }

    /// The examples of challenges are valid, and there is one for each kind.
    @Test func challengesInTheDocument_areValid() throws {
        let text = try String(contentsOfFile: Self.path, encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| challenge | members |").dropFirst().first)
        let rows = table.components(separatedBy: "\n").dropFirst(2).prefix { $0.hasPrefix("| ") }
        var alarm = Alarm(id: "a")
        alarm.time = .midnight
        for row in rows {
            var problems: [Problem] = []
            let example = try #require(row.components(separatedBy: "`").dropFirst().first)
            alarm.challenges += [try #require(Challenge.read(try JSON(parsing: Array(example.utf8)), &problems))]
            #expect(problems.isEmpty, "\(example)")
        }
        var context = ValidationContext()
        #expect(alarm.problems(among: &context).isEmpty)
        #expect(Set(alarm.challenges.compactMap(\.kind)) == Set(Challenge.Kind.allCases))
    }

    @Test func everyMember_hasAMeaning() throws {
        var document = FormatTables(try FormatMeanings(ofSourcesAt: Self.package + "/Sources/API"))
        _ = document.text
        #expect(document.unexplained.isEmpty, "give these properties of Sources/API a comment")
    }
}

/// The tables of requests and types.
private struct FormatTables {
    private let meanings: FormatMeanings
    private var types: [String: [Schema.Field]] = [:]
    /// The members without a meaning.
    private(set) var unexplained: [String] = []

    init(_ meanings: FormatMeanings) { self.meanings = meanings }

    var text: String {
        mutating get {
            var text = "### Requests\n"
            for request in RequestSpec.all { text += section(request) }
            note(Schema(of: ErrorResponse.self))
            text += "\n### Types in requests and responses\n"
            for (name, fields) in types.sorted(by: { $0.key < $1.key }) {
                text += "\n#### \(name)\n\n" + table("member", fields, in: name)
            }
            return text
        }
    }

    private mutating func section(_ request: any Request.Type) -> String {
        let spec = request.spec
        let right = spec.may.map { "Right: `\($0.rawValue)`." } ?? "Needs no token."
        var text = "\n#### `\(spec.name)`\n\n`\(spec.method.rawValue) \(spec.path)`: \(spec.summary). \(right)\n"
        if !request.fields.isEmpty {
            text += "\n" + table("field", request.fields, in: "", spec.fieldDescriptions)
        }
        if !spec.conditions.isEmpty {
            text += "\nConditions: \(spec.conditions.map { "`\($0.rawValue)`" }.joined(separator: ", ")).\n"
        }
        if !spec.media.isEmpty {
            let types = spec.media.map { "`\($0)`" }.joined(separator: " or ")
            text += "\nOver HTTP the response is the content of `\(RequestSpec.mediaMember)` alone, as \(types).\n"
        }
        let response = request.response
        if response.fields.isEmpty {
            text += "\nResponse: no members.\n"
        } else if response.description.hasSuffix(".Response") {
            text += "\nResponse:\n\n" + table("member", response.fields, in: response.description)
        } else {
            text += "\nResponse: \(response).\n"
            note(response)
        }
        return text
    }

    /// Returns a table, and notes the types in it. A question mark follows the name of an optional member.
    private mutating func table(
        _ heading: String, _ fields: [Schema.Field], in type: String, _ known: [String: String] = [:]
    ) -> String {
        var text = "| \(heading) | type | meaning |\n|---|---|---|\n"
        for field in fields {
            note(field.schema)
            let meaning = known[field.name] ?? meanings.meaning(of: field.name, in: type)
            if meaning == nil { unexplained.append("\(type).\(field.name)") }
            text += "| `\(field.name)`\(field.isOptional ? "?" : "") | \(field.schema) | \(meaning ?? "") |\n"
        }
        return text
    }

    private mutating func note(_ schema: Schema) {
        switch schema {
        case .simple: break
        case .list(let element): note(element)
        case .object(let name, let fields):
            types[name] = fields
            for field in fields { note(field.schema) }
        }
    }
}
