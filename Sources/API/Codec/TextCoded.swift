// Values that are one text in a document: dates, instants, local times, and choices among names.

import Alarms
import CivilTime
import JSON

/// A value that is written as one text.
package protocol TextCoded: Codable {
    init?(text: String)
    var text: String { get }
    /// What the text is, as in "a date such as "2026-01-15"".
    static var expected: String { get }
    /// Any value, from which the schema of what it is in is read.
    static var sample: Self { get }
}

extension TextCoded {
    /// Of its text.
    public init(from decoder: any Decoder) throws { self = try Self.read(decoder) }

    /// As its text.
    public func encode(to encoder: any Encoder) throws { try write(to: encoder) }

    fileprivate static func read(_ decoder: any Decoder) throws -> Self {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text: text) else {
            throw (decoder as? JSONValueDecoder)?.mismatch(expected) ?? JSONMismatch("", expected)
        }
        return value
    }

    fileprivate func write(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// One of a few names.
package protocol Choice: TextCoded, RawRepresentable, CaseIterable where RawValue == String {}

extension Choice {
    package init?(text: String) { self.init(rawValue: text) }
    package var text: String { rawValue }
    package static var expected: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }

    // Said again: what Swift makes by itself for enums with raw values would be as near.
    /// Of its name.
    public init(from decoder: any Decoder) throws { self = try Self.read(decoder) }
    /// As its name.
    public func encode(to encoder: any Encoder) throws { try write(to: encoder) }
}

extension Choice where AllCases == [Self] {
    package static var sample: Self { allCases[0] }
}

/// An instant in UTC, to the millisecond.
package struct Timestamp: TextCoded, Hashable, Comparable, Sendable {
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

/// What the clocks show somewhere, with their offset.
package struct LocalTime: TextCoded, Hashable, Sendable {
    /// The date and the time.
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

extension CivilDate: TextCoded {
    package init?(text: String) { self.init(text) }
    package var text: String { description }
    package static var expected: String { #"a date such as "2026-01-15""# }
    package static var sample: CivilDate { LocalTime.sample.dateTime.date }
}

extension Challenge.Kind: Choice {}
extension Layer: Choice {}
