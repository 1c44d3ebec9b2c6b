// The single words of the grammar for the time and days of an alarm.

import CivilTime

/// The meanings of single words, in small letters.
enum WhenWords {
    /// Words without a meaning, which the reader drops.
    static let fillers: Set<String> = ["on", "the", "of", "and", "at"]

    /// Parses `7:00`, `07:00:30`, `7.30`, `7h30`, `7am`, `7:30pm` or `noon`; nil for any other text.
    static func time(_ word: String) -> ClockTime? {
        if word == "noon" { return ClockTime(hour: 12, minute: 0) }
        let isMorning = word.hasSuffix("am")
        let isAfternoon = word.hasSuffix("pm")
        let hasHalf = isMorning || isAfternoon
        let parts = word.dropLast(hasHalf ? 2 : 0).split(omittingEmptySubsequences: false) { ":.h".contains($0) }
        guard hasHalf ? (1...3).contains(parts.count) : (2...3).contains(parts.count),
            let first = parts.first, (1...2).contains(first.utf8.count),
            parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { number(String($0)) }
        guard numbers.count == parts.count else { return nil }
        var hour = numbers[0]
        if hasHalf {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        return ClockTime(
            hour: hour, minute: numbers.count > 1 ? numbers[1] : 0, second: numbers.count > 2 ? numbers[2] : 0)
    }

    static func isMeantAsTime(_ word: String) -> Bool {
        if time(word) != nil { return true }
        guard word.utf8.first.map({ (0x30...0x39).contains($0) }) == true else { return false }
        return word.contains(":") || word.hasSuffix("am") || word.hasSuffix("pm")
    }

    /// Returns the time that `7`, `0700`, `1930` or `midnight` may mean, for a hint. A number may mean
    /// something else.
    static func timeMeant(_ word: String) -> String? {
        guard let number = word == "midnight" ? 0 : number(word) else { return nil }
        let (hour, minute) = word.utf8.count < 3 || word == "midnight" ? (number, 0) : (number / 100, number % 100)
        return ClockTime(hour: hour, minute: minute).map { "\(hour)\("\($0)".dropFirst(2))" }
    }

    /// Parses a number of one to four digits.
    static func number(_ word: String) -> Int? {
        guard (1...4).contains(word.utf8.count), word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(word)
    }

    /// Parses `1st`, `22nd`, `15th` or `15`, and `first` to `fifth`.
    static func ordinal(_ word: String) -> Int? {
        if let index = ["first", "second", "third", "fourth", "fifth"].firstIndex(of: word) { return index + 1 }
        if let number = number(word) { return number }
        guard ["st", "nd", "rd", "th"].contains(String(word.suffix(2))) else { return nil }
        return number(String(word.dropLast(2)))
    }

    /// Parses `mon`, `tues`, `friday` or `saturdays`.
    static func weekday(_ word: String) -> Weekday? {
        let single = word.count > 4 && word.hasSuffix("s") ? String(word.dropLast()) : word
        return Weekday.allCases.first { day in
            // Accepts any beginning of three letters or more, such as "thur" and "tues".
            single.utf8.count >= 3 && "\(day)".hasPrefix(single)
        }
    }

    /// Parses one weekday or several: `mon`, `mon-fri`, `weekdays`, `weekends`.
    static func weekdays(_ word: String) -> WeekdaySet? {
        switch word {
        case "weekdays", "weekday", "workdays": return .weekdays
        case "weekends", "weekend": return .weekend
        default: break
        }
        if let day = weekday(word) { return [day] }
        let ends = word.split(separator: "-", omittingEmptySubsequences: false).map { weekday(String($0)) }
        guard ends.count == 2, let first = ends[0], let last = ends[1] else { return nil }
        let count = last.days(after: first)
        return WeekdaySet(Weekday.allCases.filter { $0.days(after: first) <= count })
    }

    /// Returns 1 to 12 for `jan` to `december`.
    static func month(_ word: String) -> Int? {
        let names = [
            "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
            "november", "december",
        ]
        guard word.utf8.count >= 3 else { return nil }
        return names.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
    }

    /// Parses `12-24`. The result may be no date.
    static func monthAndDay(_ word: String) -> (month: Int, day: Int)? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false).map { number(String($0)) }
        guard parts.count == 2, let month = parts[0], let day = parts[1] else { return nil }
        return (month, day)
    }

    static func isMeantAsDate(_ word: String) -> Bool {
        word.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [4, 2, 2]
            && word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// Words that each give the days completely. After other days, such a word is one too many.
    static let wholeDays: Set<String> = [
        "daily", "everyday", "weekly", "fortnightly", "biweekly", "monthly", "quarterly", "yearly", "annually", "every",
        "each",
        "once", "today", "tomorrow", "weekdays", "weekends",
    ]

    /// Returns the known word that is meant by a misspelt one; nil if there is none. A weekday comes first,
    /// because "montag" is also close to "months".
    static func near(_ word: String) -> String? {
        Weekday.allCases.map { "\($0)" }.first(where: word.isNearly) ?? vocabulary.first(where: word.isNearly)
    }

    /// The known words, from which a hint for a misspelt word is chosen.
    static let vocabulary = [
        "daily", "weekly", "monthly", "yearly", "weekdays", "weekends", "every", "other", "once", "today", "tomorrow",
        "first", "second", "third", "fourth", "fifth", "last", "days", "weeks", "months", "years", "until", "from",
        "times", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
        "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
    ]
}
