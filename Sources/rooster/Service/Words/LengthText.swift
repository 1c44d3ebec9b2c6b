// Lengths of time as people type them: 10, 90s, 5min, 1h.

import JSON

enum LengthText {
    /// In seconds; a bare number counts as so many of them.
    static func seconds(_ text: String, bare: Int) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard (1...6).contains(digits.count), let number = Int(digits) else { return nil }
        let unit: Int? =
            switch text.dropFirst(digits.count).lowercased() {
            case "": bare
            case "s", "sec": 1
            case "m", "min": 60
            case "h": 3600
            default: nil
            }
        return unit.map { number * $0 }
    }
}
