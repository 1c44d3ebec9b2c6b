// The form in which clients show times of day. Files, requests and records have 24 hours.

import CivilTime
import JSON
import Text

/// The hours of a day as the owner wants to read them.
public enum HourFormat: Int, Hashable, Sendable {
    /// 1 to 12, with "am" or "pm".
    case twelve = 12
    case twentyFour = 24

    /// Returns a time such as "7:05 am", or "07:05" in 24 hours.
    package func text(_ time: ClockTime) -> String {
        guard self == .twelve else { return "\(time)" }
        let hour = (time.hour + 11) % 12 + 1
        return "\(hour)\("\(time)".dropFirst(2)) \(time.hour < 12 ? "am" : "pm")"
    }

    /// Returns the same with seconds, even if they are zero.
    package func textWithSeconds(_ time: ClockTime) -> String {
        let text = text(time)
        guard time.second == 0 else { return text }
        let digits = text.prefix { $0 != " " }
        return "\(digits):00\(text.dropFirst(digits.count))"
    }

    package func text(_ rule: DayRule) -> String { rule.time.map(text) ?? "\(rule)" }
}

extension HourFormat: JSONCoded, JSONCodable {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> HourFormat? {
        var other: [Problem] = []
        if let number = Int.read(json, &other), let format = HourFormat(rawValue: number) { return format }
        return mismatch(json, &problems, "12 or 24")
    }

    package var json: JSON { .number(rawValue) }
    package static var schema: Schema { .simple("12 or 24", sample: .number(12)) }
}
