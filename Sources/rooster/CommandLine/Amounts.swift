// Parsers of lengths of time and of volumes.

/// A length of time, as in 10, 90s, 5min or 1h30.
enum LengthText {
    /// Returns the seconds, or nil for any other text. A number without a unit counts `bare` seconds; after
    /// another unit it counts the next smaller unit.
    static func seconds(_ text: String, bare: Int) -> Int? {
        var (rest, bare, total) = (text.lowercased()[...], bare, 0)
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let name = rest.dropFirst(digits.count).prefix { !$0.isNumber }
            guard (1...6).contains(digits.count), let number = Int(digits),
                let unit = unit(name) ?? (name.isEmpty ? bare : nil),
                unit > 0
            else { return nil }
            total += number * unit
            bare = unit / 60
            rest = rest.dropFirst(digits.count + name.count)
        } while !rest.isEmpty
        return total
    }

    /// Returns the seconds of a number of minutes with a fraction or a sign, such as 4.99 or -5.
    static func decimalMinutes(_ text: String) -> Int? {
        guard text.utf8.count <= 9, text.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." || $0 == "-" }),
            text.contains(".") || text.contains("-")
        else { return nil }
        return Double(text).map { Int(($0 * 60).rounded()) }
    }

    private static func unit(_ name: Substring) -> Int? {
        switch name {
        case "s", "sec", "secs", "second", "seconds": 1
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hr", "hrs", "hour", "hours": 3600
        default: nil
        }
    }
}

enum VolumeText {
    static let expected = "a volume from 0.01 to 1, or from 1% to 100%"

    static func read(_ text: String) -> Double? {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(isPercent ? String(text.dropLast()) : text) else { return nil }
        let volume = isPercent ? number / 100 : number
        return (0.01...1).contains(volume) ? volume : nil
    }
}
