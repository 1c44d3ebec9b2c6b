// The text of the checkout: its documents, and the files that they speak of.

import Foundation

enum Checkout {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Every document, by its path.
    static let documents: [String] =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
        + names(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// The names of what is in a folder; none where there is no such folder.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path))?.sorted() ?? []
    }

    /// The paths of all Swift files below a folder.
    static func swiftFiles(in folder: String) -> [String] {
        FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }.sorted() ?? []
    }

    /// What stands in a document below a heading, down to the next heading of its rank.
    static func section(_ heading: String, of document: String) throws -> Substring {
        let text = try text(document)
        guard let start = text.range(of: "\n\(heading)\n") else { return "" }
        let rest = text[start.upperBound...]
        let rank = heading.prefix { $0 == "#" }
        return rest.range(of: "\n\(rank) ").map { rest[..<$0.lowerBound] } ?? rest
    }
}

extension StringProtocol {
    /// What is written in it `as code`, but not in blocks.
    var codeSpans: [String] {
        let prose = String(self).components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        return prose.flatMap { text in
            text.element.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(
                \.element)
        }
    }

    /// The cells of each row of its tables.
    var rows: [[String]] {
        split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.dropFirst().dropLast().split(separator: " | ", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Its words as code has them, in their order.
    var identifiers: [Substring] { split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Substring($0) } }
}
