// Whether what ringing needs is in order.

/// Something that ringing needs.
public enum Part: String, Hashable, Sendable, CaseIterable, Comparable {
    case speaker, camera, codes, buttons, disk, clock

    /// In the order in which they are told.
    public static func < (a: Part, b: Part) -> Bool {
        guard let first = allCases.firstIndex(of: a), let second = allCases.firstIndex(of: b) else { return false }
        return first < second
    }
}

/// How a part is.
public struct Health: Hashable, Sendable {
    /// How bad it is.
    public enum Grade: String, Hashable, Sendable {
        case ok, warning, broken
    }

    /// How bad it is.
    public var grade: Grade
    /// What is wrong and what to do about it, in words; empty where nothing is.
    public var words: String

    /// In order, or not.
    public init(_ grade: Grade, _ words: String = "") {
        self.grade = grade
        self.words = words
    }

    /// In order.
    public static let ok = Health(.ok)
}
