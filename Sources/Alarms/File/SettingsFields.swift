// Reading and writing the settings of the device.

import JSON

extension Settings {
    package init(reading fields: inout Fields) {
        zoneName = fields.text("zone")
        fields.bool("enabled").map { isEnabled = $0 }
        fields.seconds("lock", within: Limits.lockSeconds).map { lockSeconds = $0 }
        fields.object("snooze") { fields in
            fields.seconds("min", within: Limits.snoozeSeconds).map { snoozeSecondsMin = $0 }
            fields.seconds("max", within: Limits.snoozeSeconds).map { snoozeSecondsMax = $0 }
            return fields.unknown()
        }.map { unknownOfSnooze = $0 }
        fields.parsed("preflight", "a time such as \"21:00\", or \"off\"").map { preflight = $0 }
        fields.bool("emergency").map { hasEmergencyExit = $0 }
        fields.object("file") { $0.unknown() }.map { unknownOfFile = $0 }
        unknown = fields.unknown()
    }

    /// Everything for which the settings cannot be taken.
    package var problems: [Problem] { Fields.problems(reading: json) { Settings(reading: &$0) } }

    package var json: JSON {
        .object(
            [
                .init("zone", .text(zoneName)), .init("enabled", .bool(isEnabled)), .init("lock", .number(lockSeconds)),
                .init(
                    "snooze",
                    .object(
                        [.init("min", .number(snoozeSecondsMin)), .init("max", .number(snoozeSecondsMax))]
                            + unknownOfSnooze)),
                .init("preflight", .text(preflight)), .init("emergency", .bool(hasEmergencyExit)),
            ] + (unknownOfFile.isEmpty ? [] : [.init("file", .object(unknownOfFile))]) + unknown)
    }

    private enum Limits {
        static let lockSeconds = 0...86_400
        static let snoozeSeconds = 1...86_400
    }
}

extension Fields {
    fileprivate mutating func seconds(_ name: String, within range: ClosedRange<Int>) -> Int? {
        guard let seconds = integer(name) else { return nil }
        guard range.contains(seconds) else {
            note(name, "\(seconds) is not between \(range.lowerBound) and \(range.upperBound) seconds")
            return nil
        }
        return seconds
    }
}
