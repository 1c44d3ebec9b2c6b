// One thing that is wrong with a document, and its path within it.

/// One thing that is wrong, and where.
public struct Problem: Hashable, Sendable {
    /// What follows from it.
    public enum Weight: Hashable, Sendable {
        /// The alarm cannot be taken.
        case refused
        /// A challenge of the alarm cannot be met: it is not saved, and an imported one is kept but off.
        case unmet
        /// The alarm is taken; the owner should know.
        case warning
    }

    /// The field it is about, as in `alarms[2].weekly.tue`; empty for the whole.
    package var place: String
    package var reason: String
    package var weight: Weight

    package init(_ place: String, _ reason: String, _ weight: Weight = .refused) {
        (self.place, self.reason, self.weight) = (place, reason, weight)
    }

    /// The same problem, of a document that has this one at `outer`.
    package func within(_ outer: String) -> Problem {
        let isPart = place.isEmpty || outer.isEmpty || place.hasPrefix("[")
        return Problem(isPart ? outer + place : "\(outer).\(place)", reason, weight)
    }
}

extension Problem: CustomStringConvertible {
    /// `place: reason`.
    public var description: String {
        place.isEmpty ? reason : "\(place): \(reason)"
    }
}

extension [Problem] {
    /// The problems for which a document is refused.
    package var refused: [Problem] { filter { $0.weight == .refused } }

    /// Whether there is none for which a document is refused.
    package var areHarmless: Bool { !contains { $0.weight == .refused } }
}
