// The time by which a notice precedes a ring.

import JSON

/// A lead as its owner wrote it: "30m", "24h", "7d". A day is 24 hours.
package struct NoticeLead: Hashable, Sendable {
    package enum Unit: Character, Sendable {
        case minutes = "m"
        case hours = "h"
        case days = "d"

        fileprivate var seconds: Int {
            switch self {
            case .minutes: 60
            case .hours: 3600
            case .days: 86_400
            }
        }
    }

    package let count: Int
    package let unit: Unit

    package var seconds: Int { count * unit.seconds }

    package static let secondsMax = 31 * 86_400
    /// The number of notices that an alarm may have.
    package static let perAlarm = 5

    /// Returns nil for less than a minute or more than 31 days.
    package init?(_ count: Int, _ unit: Unit) {
        guard (1...NoticeLead.secondsMax / unit.seconds).contains(count) else { return nil }
        (self.count, self.unit) = (count, unit)
    }
}

extension NoticeLead: TextCoded, JSONCodable {
    package init?(text: String) {
        guard let unit = text.last.flatMap(Unit.init(rawValue:)),
            text.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int(text.dropLast())
        else { return nil }
        self.init(count, unit)
    }

    package var text: String { "\(count)\(unit.rawValue)" }
    package static var expected: String { #"a time before the ring such as "30m", "24h" or "7d", at most 31 days"# }
    package static var sample: NoticeLead { NoticeLead(sampleCount: 24, .hours) }

    private init(sampleCount: Int, _ unit: Unit) { (count, self.unit) = (sampleCount, unit) }
}
