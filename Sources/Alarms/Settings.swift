// What is set for the whole device.

import CivilTime
import JSON

/// The settings that alarms are planned by and that sessions go by.
public struct Settings: Hashable, Sendable {
    /// The device's zone; nothing for the zone that the machine is set to.
    public var zoneName: String?
    /// The master switch: off, no alarm rings.
    public var isEnabled = true
    /// From so long before an alarm that has challenges, nothing can be done to escape it; 0 leaves the way open.
    public var lockSeconds = 1800
    /// No snooze is shorter.
    public var snoozeSecondsMin = 300
    /// No snooze is longer.
    public var snoozeSecondsMax = 3600
    /// When, each evening, the device tries out what it needs to ring.
    public var preflight = DayRule.at(ClockTime(hour: 21, minute: 0) ?? .midnight)
    /// Whether holding both buttons ends a session: a code can burn.
    public var hasEmergencyExit = true
    /// Fields of the file that mean nothing here and are kept.
    public var unknown: [JSON.Member] = []
    var unknownOfSnooze: [JSON.Member] = []

    /// The defaults.
    public init() {}

    /// The shortest and the longest snooze, whichever way round they were given.
    public var snoozeBounds: ClosedRange<Int> {
        min(snoozeSecondsMin, snoozeSecondsMax)...max(snoozeSecondsMin, snoozeSecondsMax)
    }
}
