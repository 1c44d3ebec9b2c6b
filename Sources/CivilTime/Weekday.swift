// The days of the week, with their names in the alarms file, and sets of them.

/// A day of the week. Weeks begin on Monday, as in ISO 8601.
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

    /// Creates the day with the name `mon` … `sun`, or nil for any other text.
    public init?(shortName: some StringProtocol) {
        guard let day = Weekday.allCases.first(where: { $0.shortName == shortName }) else { return nil }
        self = day
    }

    /// Returns the number of days from `earlier` to this day, 0…6.
    public func days(after earlier: Weekday) -> Int {
        (rawValue - earlier.rawValue + 7) % 7
    }

    /// Monday comes first.
    public static func < (a: Weekday, b: Weekday) -> Bool {
        a.rawValue < b.rawValue
    }
}

/// A set of days of the week.
public struct WeekdaySet: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Monday in bit 0.
    private var bits: UInt8 = 0

    /// All seven days.
    public static let everyDay = WeekdaySet(Weekday.allCases)
    /// Monday to Friday.
    public static let weekdays: WeekdaySet = [.monday, .tuesday, .wednesday, .thursday, .friday]
    /// Saturday and Sunday.
    public static let weekend: WeekdaySet = [.saturday, .sunday]

    /// Creates the empty set.
    public init() {}

    /// Creates the set of these days. Inlinable, since iterating a sequence of unknown type is slow.
    @inlinable public init(_ days: some Sequence<Weekday>) {
        self.init()
        for day in days { insert(day) }
    }

    /// Creates the set of these days.
    public init(arrayLiteral days: Weekday...) {
        self.init(days)
    }

    private static func bit(_ day: Weekday) -> UInt8 {
        1 << UInt8(day.rawValue - 1)
    }

    /// Adds the day.
    public mutating func insert(_ day: Weekday) {
        bits |= WeekdaySet.bit(day)
    }

    /// Returns whether the set has the day.
    public func contains(_ day: Weekday) -> Bool {
        bits & WeekdaySet.bit(day) != 0
    }

    /// True if the set has no day.
    public var isEmpty: Bool { bits == 0 }

    /// Returns whether the two sets have no day in common.
    public func isDisjoint(with other: WeekdaySet) -> Bool {
        bits & other.bits == 0
    }

    /// Returns the days of this set that `other` does not have.
    public func subtracting(_ other: WeekdaySet) -> WeekdaySet {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// Returns the first date on one of these days, `date` or later; nil if there is none.
    public func first(onOrAfter date: CivilDate) -> CivilDate? {
        let twoWeeks = UInt16(bits) | UInt16(bits) << 7
        let number = date.dayNumber + (twoWeeks >> UInt16(date.weekday.rawValue - 1)).trailingZeroBitCount
        return isEmpty || number > CivilDate.last.dayNumber ? nil : CivilDate(dayNumber: number)
    }

    /// The days in order, Monday first.
    public var days: [Weekday] { Weekday.allCases.filter(contains) }
}
