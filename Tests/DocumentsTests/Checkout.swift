// The text of the checkout: its documents, and the files that they name.

import Foundation

enum Checkout {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The path of every document.
    static let documents: [String] =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
        + names(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// Returns the names in a folder, or none if the folder does not exist.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path))?.sorted() ?? []
    }

    /// Returns the paths of all files below a folder.
    static func files(in folder: String) -> [String] {
        let url = root.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return names.filter { !url.appendingPathComponent($0).hasDirectoryPath }.map { "\(folder)/\($0)" }.sorted()
    }

    static func swiftFiles(in folder: String) -> [String] { files(in: folder).filter { $0.hasSuffix(".swift") } }

    /// Returns a document's section below a heading, up to the next heading of its rank.
    static func section(_ heading: String, of document: String) throws -> Substring {
        let text = try text(document)
        guard let start = text.range(of: "\n\(heading)\n") else { return "" }
        let rest = text[start.upperBound...]
        let rank = heading.prefix { $0 == "#" }
        return rest.range(of: "\n\(rank) ").map { rest[..<$0.lowerBound] } ?? rest
    }
}

extension StringProtocol {
    /// The inline code spans, without code blocks.
    var codeSpans: [String] {
        let prose = String(self).components(separatedBy: "```").enumerated().filter { $0.offset.isMultiple(of: 2) }
        return prose.flatMap { text in
            text.element.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(
                \.element)
        }
    }

    /// The cells of each table row.
    var rows: [[String]] {
        split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.dropFirst().dropLast().split(separator: " | ", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The identifiers, in order.
    var identifiers: [Substring] { split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { Substring($0) } }
}
