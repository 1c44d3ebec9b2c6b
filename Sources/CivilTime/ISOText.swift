// Parses and prints the parts of ISO 8601 and RFC 3339 texts.

/// A cursor over a text. Each call consumes and returns the next part, or nil if the text does not match.
struct ISOText {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Character) -> Bool {
        guard rest.first == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    /// Parses exactly `count` digits.
    mutating func number(digits count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func clockTime() -> ClockTime? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2) else { return nil }
        guard skip(":") else { return ClockTime(hour: hour, minute: minute) }
        guard let second = number(digits: 2) else { return nil }
        return ClockTime(hour: hour, minute: minute, second: second)
    }

    /// Parses `HH:MM:SS` with an optional fraction. A leap second, 23:59:60, counts as the second after it.
    mutating func secondsWithFraction() -> (seconds: Int, hasFraction: Bool)? {
        guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
            let second = number(digits: 2),
            let time = ClockTime(hour: hour, minute: minute, second: min(second, 59)), second <= 60
        else { return nil }
        guard skip(".") else { return (time.secondsSinceMidnight + second / 60, false) }
        let fraction = rest.prefix(while: isDigit)
        guard !fraction.isEmpty else { return nil }
        rest.removeFirst(fraction.count)
        return (time.secondsSinceMidnight + second / 60, fraction.contains { $0 != 0x30 })
    }

    /// Parses `Z` or `±HH:MM` and returns seconds east of Greenwich.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign = skip("-") ? -1 : 1
        guard sign == -1 || skip("+"), let hour = number(digits: 2), skip(":"), let minute = number(digits: 2),
            let distance = ClockTime(hour: hour, minute: minute)
        else { return nil }
        return sign * distance.secondsSinceMidnight
    }
}

private func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
}

/// The texts of 0 to 99, made once, since every fact in a journal contains dates and times.
private let twoDigits = (0..<100).map { $0 < 10 ? "0\($0)" : "\($0)" }

/// Returns the number with at least two digits.
func padded(_ number: Int) -> String { twoDigits.indices.contains(number) ? twoDigits[number] : String(number) }
