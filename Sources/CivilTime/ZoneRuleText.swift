// Parses a footer such as `EST5EDT,M3.2.0,M11.1.0` or `<-02>2<-01>,M3.5.0/-1,M10.5.0/0`.

extension ZoneRule {
    /// Parses a rule. Nil if the text is none.
    init?(_ text: some Sequence<UInt8>) {
        var text = RuleText(Array(text))
        guard text.skipName(), let west = text.time(hoursMax: 24) else { return nil }
        standardOffsetSeconds = -west
        guard !text.isAtEnd else { return }
        guard text.skipName() else { return nil }
        var daylightOffset = standardOffsetSeconds + 3600
        if text.peek != UInt8(ascii: ",") {
            guard let west = text.time(hoursMax: 24) else { return nil }
            daylightOffset = -west
        }
        guard let start = text.change(), let end = text.change(), text.isAtEnd else { return nil }
        daylight = Daylight(offsetSeconds: daylightOffset, start: start, end: end)
    }
}

/// A cursor over a footer. Each call consumes and returns the next part, or nil if the text does not match.
private struct RuleText {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    var peek: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skip(_ character: Character) -> Bool {
        guard peek == character.asciiValue else { return false }
        position += 1
        return true
    }

    /// Skips three or more letters, or `<…>` around letters, digits and signs.
    mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let start = position
        while let byte = peek, isLetter(byte) || isQuoted && (isDigit(byte) || byte == 0x2B || byte == 0x2D) {
            position += 1
        }
        guard position - start >= 3 else { return false }
        return isQuoted ? skip(">") : true
    }

    mutating func number(max: Int) -> Int? {
        var value = 0
        let start = position
        while let byte = peek, isDigit(byte), position - start < 3 {
            value = value * 10 + Int(byte - 0x30)
            position += 1
        }
        return position > start && value <= max ? value : nil
    }

    /// Parses `[+-]h[h[h]][:mm[:ss]]` and returns seconds.
    mutating func time(hoursMax: Int) -> Int? {
        let sign = skip("-") ? -1 : 1
        if sign == 1 { _ = skip("+") }
        guard let hours = number(max: hoursMax) else { return nil }
        var seconds = hours * 3600
        if skip(":") {
            guard let minutes = number(max: 59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let rest = number(max: 59) else { return nil }
                seconds += rest
            }
        }
        return sign * seconds
    }

    /// Parses `,day[/time]`. The default time is 02:00.
    mutating func change() -> ZoneRule.Change? {
        guard skip(","), let day = day() else { return nil }
        guard skip("/") else { return ZoneRule.Change(day: day, seconds: 7200) }
        guard let seconds = time(hoursMax: 167) else { return nil }
        return ZoneRule.Change(day: day, seconds: seconds)
    }

    private mutating func day() -> ZoneRule.Day? {
        if skip("J") {
            guard let day = number(max: 365), day >= 1 else { return nil }
            return .ofYearWithoutLeapDay(day)
        }
        if skip("M") {
            guard let month = number(max: 12), month >= 1, skip("."), let week = number(max: 5), week >= 1, skip("."),
                let weekday = number(max: 6)
            else { return nil }
            return .weekdayOfMonth(month: month, week: week, weekday: weekday)
        }
        return number(max: 365).map { .ofYear($0) }
    }
}

private func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}

private func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte)
}
