// The parser and the formatter of recurrence rules as RFC 5545 spells them.

import CivilTime
import Text

/// The reasons why a text is not a rule for an alarm. Each names the part that is wrong.
public struct RecurrenceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line each.
    package let reasons: [String]

    /// All reasons in one line.
    public var description: String { reasons.joined(separator: "; ") }
}

extension Recurrence {
    /// Parses a rule such as `FREQ=WEEKLY;BYDAY=MO,WE`, with or without `RRULE:` before it.
    package init(parsing text: String) throws(RecurrenceError) {
        var reader = RecurrenceReader()
        self = try reader.rule(text)
    }
}

private struct RecurrenceReader {
    private var reasons: [String] = []
    private var rule = Recurrence(.daily)
    /// Nil until FREQ has been read.
    private var frequency: Recurrence.Frequency?
    private var seen: Set<String> = []

    static let textBytesMax = 1000
    static let intervalMax = 9999
    static let countMax = 9999

    mutating func rule(_ text: String) throws(RecurrenceError) -> Recurrence {
        guard text.utf8.count <= Self.textBytesMax else {
            throw RecurrenceError(reasons: ["must have at most \(Self.textBytesMax) characters"])
        }
        var text = text.uppercased()
        if text.hasPrefix("RRULE:") { text.removeFirst("RRULE:".count) }
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, !pieces[0].isEmpty else {
                reasons.append("must have parts such as FREQ=DAILY, not \(String(part).quoted)")
                continue
            }
            let name = String(pieces[0])
            guard seen.insert(name).inserted else {
                reasons.append("must have \(name.inOneLine) only once")
                continue
            }
            read(name, String(pieces[1]))
        }
        checkTogether()
        guard reasons.isEmpty else { throw RecurrenceError(reasons: reasons) }
        return rule
    }

    private mutating func read(_ name: String, _ value: String) {
        switch name {
        case "FREQ":
            if let frequency = Recurrence.Frequency(rawValue: value) {
                self.frequency = frequency
                rule.frequency = frequency
            } else {
                refuse(name, value, "DAILY, WEEKLY, MONTHLY or YEARLY")
            }
        case "INTERVAL": rule.interval = number(name, value, in: 1...Self.intervalMax) ?? 1
        case "COUNT": number(name, value, in: 1...Self.countMax).map { rule.end = .count($0) }
        case "UNTIL": until(value)
        case "BYDAY":
            rule.days = list(name, value, "weekdays such as MO or -1FR") { Recurrence.Day(text: $0) }
        case "BYMONTHDAY": rule.monthDays = signed(name, value, upTo: 31)
        case "BYMONTH":
            rule.months = list(name, value, "months from 1 to 12") { digits in
                Self.integer(digits).flatMap { (1...12).contains($0) ? $0 : nil }
            }
        case "BYSETPOS": rule.positions = signed(name, value, upTo: 366)
        case "WKST":
            if let weekday = Weekday(twoLetters: value) {
                rule.weekStart = weekday
            } else {
                refuse(name, value, "a weekday such as MO")
            }
        case "SKIP":
            rule.skip = Recurrence.Skip(rawValue: value)
            if rule.skip == nil { refuse(name, value, "OMIT, BACKWARD or FORWARD") }
        case "RSCALE":
            // RFC 7529 requires RSCALE beside SKIP. Rooster supports only one calendar.
            if value != "GREGORIAN" { refuse(name, value, "GREGORIAN") }
        default:
            reasons.append("has an unknown part, \(name.quoted)")
        }
    }

    /// Checks the conditions that involve several parts.
    private mutating func checkTogether() {
        if !seen.contains("FREQ") { reasons.append("must have FREQ") }
        if seen.contains("COUNT"), seen.contains("UNTIL") { reasons.append("must not have both COUNT and UNTIL") }
        if frequency == .weekly, seen.contains("BYMONTHDAY") {
            reasons.append("must not have BYMONTHDAY with FREQ=WEEKLY")
        }
        if frequency == .daily || frequency == .weekly, rule.days.contains(where: { $0.ordinal != nil }) {
            reasons.append("must not have numbers in BYDAY, unless FREQ is MONTHLY or YEARLY")
        }
        if seen.contains("BYSETPOS"), seen.isDisjoint(with: ["BYDAY", "BYMONTHDAY", "BYMONTH"]) {
            reasons.append("must have BYDAY, BYMONTHDAY or BYMONTH beside BYSETPOS")
        }
    }

    private mutating func refuse(_ name: String, _ value: String, _ expected: String) {
        reasons.append("must have \(expected) in \(name), not \(value.quoted)")
    }

    private mutating func number(_ name: String, _ value: String, in range: ClosedRange<Int>) -> Int? {
        if let number = Self.integer(value), range.contains(number) { return number }
        refuse(name, value, "a number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    private mutating func signed(_ name: String, _ value: String, upTo max: Int) -> [Int] {
        list(name, value, "numbers from 1 to \(max) or -\(max) to -1") { digits in
            Self.integer(digits).flatMap { $0 != 0 && abs($0) <= max ? $0 : nil }
        }
    }

    /// Parses a comma-separated list, and returns it sorted and without duplicates.
    private mutating func list<Element: Hashable & Comparable>(
        _ name: String, _ value: String, _ expected: String, _ read: (String) -> Element?
    ) -> [Element] {
        let texts = value.split(separator: ",", omittingEmptySubsequences: false)
        let elements = texts.compactMap { read(String($0)) }
        guard elements.count == texts.count else {
            refuse(name, value, "a list of \(expected)")
            return []
        }
        return Set(elements).sorted()
    }

    private mutating func until(_ value: String) {
        let parts = value.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let isUTC = parts.count == 2 && value.hasSuffix("Z")
        let clock = parts.count == 2 ? parts[1].dropLast(isUTC ? 1 : 0) : "000000"
        guard let digits = parts.first, digits.utf8.count == 8, clock.utf8.count == 6,
            let date = CivilDate(Self.separated(digits, by: "-", [4, 2, 2])),
            let time = ClockTime(Self.separated(clock, by: ":", [2, 2, 2]))
        else {
            refuse("UNTIL", value, "a date such as 20261231, or with a time 20261231T235959Z")
            return
        }
        let local = CivilDateTime(date, time)
        rule.end = parts.count == 1 ? .date(date) : isUTC ? .instant(Zone.utc.instants(of: local).first) : .local(local)
    }

    /// Returns `2026-12-31` for `20261231`.
    private static func separated(_ digits: Substring, by separator: String, _ lengths: [Int]) -> String {
        var rest = digits
        let pieces = lengths.map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }
        return pieces.joined(separator: separator)
    }

    /// Parses a whole number of at most six characters, including a sign.
    static func integer(_ text: String) -> Int? {
        text.utf8.count <= 6 ? Int(text) : nil
    }
}

extension Recurrence: CustomStringConvertible {
    /// The rule as RFC 5545 spells it, without default values.
    public var description: String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval != 1 { parts.append("INTERVAL=\(interval)") }
        func append(_ name: String, _ list: [some CustomStringConvertible]) {
            if !list.isEmpty { parts.append("\(name)=\(list.map(\.description).joined(separator: ","))") }
        }
        append("BYMONTH", months)
        append("BYMONTHDAY", monthDays)
        append("BYDAY", days)
        append("BYSETPOS", positions)
        if weekStart != .monday { parts.append("WKST=\(weekStart.twoLetters)") }
        switch end {
        case .never: break
        case .count(let count): parts.append("COUNT=\(count)")
        case .date(let date): parts.append("UNTIL=\(date.withoutSeparators)")
        case .local(let local): parts.append("UNTIL=\(local.withoutSeparators)")
        case .instant(let instant): parts.append("UNTIL=\(instant.withoutSeparators)")
        }
        if let skip { parts.append("SKIP=\(skip.rawValue)") }
        return parts.joined(separator: ";")
    }
}

extension CustomStringConvertible {
    /// ISO 8601's basic form: `20261231T235959Z` for `2026-12-31T23:59:59Z`.
    fileprivate var withoutSeparators: String {
        description.filter { $0 != "-" && $0 != ":" }
    }
}

extension Recurrence.Day: CustomStringConvertible {
    /// `MO`, `2TU`, `-1FR`.
    public var description: String {
        (ordinal.map { String($0) } ?? "") + weekday.twoLetters
    }

    fileprivate init?(text: String) {
        guard let weekday = Weekday(twoLetters: String(text.suffix(2))) else { return nil }
        let digits = text.dropLast(2)
        guard !digits.isEmpty else {
            self.init(weekday)
            return
        }
        guard let ordinal = RecurrenceReader.integer(String(digits)), ordinal != 0, abs(ordinal) <= 53 else {
            return nil
        }
        self.init(weekday, ordinal: ordinal)
    }
}

extension Weekday {
    fileprivate var twoLetters: String { String(shortName.prefix(2)).uppercased() }

    fileprivate init?(twoLetters: String) {
        guard let day = Weekday.allCases.first(where: { $0.twoLetters == twoLetters }) else { return nil }
        self = day
    }
}
