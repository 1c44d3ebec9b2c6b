// The days of the week, named as the alarms file names them.

/// A day of the week; weeks are counted from Monday, as ISO 8601 does.
public enum Weekday: Int, CaseIterable, Comparable, Hashable, Sendable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday

    /// `mon` … `sun`.
    public var shortName: String {
        switch self {
        case .monday: "mon"
        case .tuesday: "tue"
        case .wednesday: "wed"
        case .thursday: "thu"
        case .friday: "fri"
        case .saturday: "sat"
        case .sunday: "sun"
        }
    }

    /// The day called `mon` … `sun`; any other text is no day.
    public init?(shortName: some StringProtocol) {
        guard let day = Weekday.allCases.first(where: { $0.shortName == shortName }) else { return nil }
        self = day
    }

    /// How many days it takes to get from `earlier` to this day, 0…6.
    public func days(after earlier: Weekday) -> Int {
        (rawValue - earlier.rawValue + 7) % 7
    }

    /// Monday comes first.
    public static func < (a: Weekday, b: Weekday) -> Bool {
        a.rawValue < b.rawValue
    }
}
