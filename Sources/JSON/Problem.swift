// What is wrong with an alarm, said so that its owner can mend it.

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

    /// The field it is about, as in `alarms[2].weekly.tue`.
    package var place: String
    /// What is wrong, in words.
    package var reason: String
    package var weight: Weight

    package init(_ place: String, _ reason: String, _ weight: Weight = .refused) {
        self.place = place
        self.reason = reason
        self.weight = weight
    }
}

extension Problem: CustomStringConvertible {
    /// `place: reason`.
    public var description: String {
        place.isEmpty ? reason : "\(place): \(reason)"
    }
}
