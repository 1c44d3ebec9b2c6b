// One thing that is wrong with a document, and its path within it.

/// A problem of a document: its path, its reason and its consequence.
public struct Problem: Hashable, Sendable {
    /// The consequence of a problem.
    public enum Weight: Hashable, Sendable {
        case refused
        /// A challenge cannot be completed. An enabled alarm is refused; an imported one is kept, but off.
        case unmet
        /// The document is accepted with a warning to its owner.
        case warning
    }

    /// The path of the field, as in `alarms[2].weekly.tue`; empty for the whole document.
    package var path: String
    package var reason: String
    package var weight: Weight
    /// The code of a warning, for programs; nil for any other problem.
    package private(set) var code: WarningCode?

    package init(_ path: String, _ reason: String, _ weight: Weight = .refused) {
        (self.path, self.reason, self.weight) = (path, reason, weight)
    }

    /// Creates a warning.
    package init(_ code: WarningCode, _ path: String, _ reason: String) {
        self.init(path, reason, .warning)
        self.code = code
    }

    /// Returns the same problem for an outer document that has this one at `outer`.
    package func within(_ outer: String) -> Problem {
        let isPart = path.isEmpty || outer.isEmpty || path.hasPrefix("[")
        var inner = self
        inner.path = isPart ? outer + path : "\(outer).\(path)"
        return inner
    }
}

extension Problem: CustomStringConvertible {
    /// `path: reason`, or the reason alone as a sentence.
    public var description: String {
        path.isEmpty ? reason.asWholeSentence : "\(path): \(reason)"
    }
}

extension [Problem] {
    /// The problems for which a document is refused.
    package var refused: [Problem] { filter { $0.weight == .refused } }

    /// True if no problem refuses the document.
    package var areHarmless: Bool { !contains { $0.weight == .refused } }
}

extension String {
    /// The reason of a problem without a path, as a sentence.
    package var asWholeSentence: String { hasPrefix("must ") ? "The value \(self)" : capitalisedFirst }
}
