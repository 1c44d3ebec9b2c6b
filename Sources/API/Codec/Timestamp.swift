// The forms of instants and local times in JSON.

import Alarms
import CivilTime
import JSON

/// An instant in UTC, to the millisecond.
package struct Timestamp: TextCoded, JSONCodable, Hashable, Comparable, Sendable {
    package let milliseconds: Int

    package init(milliseconds: Int) { self.milliseconds = milliseconds }

    package init(_ instant: Instant) { milliseconds = instant.milliseconds }

    package init?(text: String) {
        guard let instant = Instant(text, rounding: .down) else { return nil }
        let fraction = text.split(separator: ".").dropFirst().first.map { $0.prefix { $0.isNumber }.prefix(3) } ?? ""
        let digits = fraction + String(repeating: "0", count: 3 - fraction.count)
        milliseconds = instant.milliseconds + (Int(digits) ?? 0)
    }

    package var instant: Instant { Instant(milliseconds: milliseconds) }

    package var text: String {
        let rest = milliseconds - instant.milliseconds
        return rest == 0 ? "\(instant)" : "\("\(instant)".dropLast()).\("\(1000 + rest)".dropFirst())Z"
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }
    package static let expected = #"an instant such as "2026-01-15T06:00:00Z""#
    package static let sample = Timestamp(milliseconds: 0)
}

/// A local time with its UTC offset.
package struct LocalTime: TextCoded, JSONCodable, Hashable, Sendable {
    package let dateTime: CivilDateTime
    package let text: String

    package init(_ instant: Instant, in zone: Zone) {
        text = zone.text(instant)
        dateTime = zone.local(instant)
    }

    package init?(text: String) {
        guard let dateTime = CivilDateTime(String(text.prefix(19))) else { return nil }
        (self.dateTime, self.text) = (dateTime, text)
    }

    package static let expected = #"a local time such as "2024-03-10T03:30:00-04:00""#
    package static let sample = LocalTime(.earliest, in: .utc)
}
