// How documents have the values of modules that see no documents.

/// One of a few names.
package protocol Choice: RawRepresentable, CaseIterable, Codable, Hashable, Sendable where RawValue == String {}

extension Choice {
    /// The names, as in "one of ok, warning, broken".
    package static var expected: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
}

/// A type whose documents leave out what is nil: of many members few are there at a time.
package protocol SparselyCoded: Encodable {}
