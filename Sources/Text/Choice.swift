// Protocols by which documents contain values of modules that do not import `JSON`.

/// A value that documents write as one of a few names.
package protocol Choice: RawRepresentable, CaseIterable, Codable, Hashable, Sendable where RawValue == String {}

extension Choice {
    /// The names, as in "one of ok, warning, broken".
    package static var expected: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
}

/// A type whose nil members are left out of documents, because it has many and few are present at a time.
package protocol SparselyCoded: Encodable {}
