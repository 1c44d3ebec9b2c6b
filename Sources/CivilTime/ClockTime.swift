// The time of day, without a date or a zone.

/// A time of day in whole seconds, 00:00:00 … 23:59:59.
public struct ClockTime: Hashable, Comparable, Sendable {
    /// 0…86,399.
    public let secondsSinceMidnight: Int

    /// 00:00.
    public static let midnight = ClockTime(knownSeconds: 0)

    /// Creates a time, or nil if no clock shows it.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.init(knownSeconds: hour * 3600 + minute * 60 + second)
    }

    init(knownSeconds: Int) {
        assert((0..<86_400).contains(knownSeconds))
        self.secondsSinceMidnight = knownSeconds
    }

    /// 0…23.
    public var hour: Int { secondsSinceMidnight / 3600 }
    /// 0…59.
    public var minute: Int { secondsSinceMidnight / 60 % 60 }
    /// 0…59.
    public var second: Int { secondsSinceMidnight % 60 }

    /// Earlier times come first.
    public static func < (a: ClockTime, b: ClockTime) -> Bool {
        a.secondsSinceMidnight < b.secondsSinceMidnight
    }
}

extension ClockTime: LosslessStringConvertible {
    /// Parses `HH:MM` or `HH:MM:SS`. Any other text gives nil.
    public init?(_ description: String) {
        var text = ISOText(description)
        guard let time = text.clockTime(), text.isAtEnd else { return nil }
        self = time
    }

    /// `HH:MM`, or `HH:MM:SS` if the seconds are not 0.
    public var description: String {
        second == 0 ? "\(padded(hour)):\(padded(minute))" : withSeconds
    }

    /// `HH:MM:SS`.
    var withSeconds: String {
        "\(padded(hour)):\(padded(minute)):\(padded(second))"
    }
}
