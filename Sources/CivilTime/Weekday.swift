// The days of the week, named as the alarms file names them, and sets of them.

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

/// Some of the days of the week.
public struct WeekdaySet: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Monday in bit 0.
    private var bits: UInt8 = 0

    /// All seven.
    public static let everyDay = WeekdaySet(Weekday.allCases)
    /// Monday to Friday.
    public static let weekdays: WeekdaySet = [.monday, .tuesday, .wednesday, .thursday, .friday]
    /// Saturday and Sunday.
    public static let weekend: WeekdaySet = [.saturday, .sunday]

    /// No day.
    public init() {}

    /// The set of these days. Inlinable, since going through a sequence of unknown type takes longer than planning.
    @inlinable public init(_ days: some Sequence<Weekday>) {
        self.init()
        for day in days { insert(day) }
    }

    /// The set of these days.
    public init(arrayLiteral days: Weekday...) {
        self.init(days)
    }

    private static func bit(_ day: Weekday) -> UInt8 {
        1 << UInt8(day.rawValue - 1)
    }

    /// Puts the day in.
    public mutating func insert(_ day: Weekday) {
        bits |= WeekdaySet.bit(day)
    }

    /// Whether the day is in it.
    public func contains(_ day: Weekday) -> Bool {
        bits & WeekdaySet.bit(day) != 0
    }

    /// Whether no day is in it.
    public var isEmpty: Bool { bits == 0 }

    /// Whether the two have no day in common.
    public func isDisjoint(with other: WeekdaySet) -> Bool {
        bits & other.bits == 0
    }

    /// The days of this set that are not in the other.
    public func subtracting(_ other: WeekdaySet) -> WeekdaySet {
        var rest = self
        rest.bits &= ~other.bits
        return rest
    }

    /// The first date on one of its days, `date` or later.
    public func first(onOrAfter date: CivilDate) -> CivilDate? {
        let twoWeeks = UInt16(bits) | UInt16(bits) << 7
        let number = date.dayNumber + (twoWeeks >> UInt16(date.weekday.rawValue - 1)).trailingZeroBitCount
        return isEmpty || number > CivilDate.last.dayNumber ? nil : CivilDate(dayNumber: number)
    }

    /// Its days, Monday first.
    public var days: [Weekday] { Weekday.allCases.filter(contains) }
}
