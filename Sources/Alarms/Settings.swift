// How an alarm sounds and may be snoozed, and what is set for the whole device.

import CivilTime
import JSON

/// The settings that alarms are planned by and that sessions go by.
public struct Settings: Hashable, Sendable {
    /// The device's zone; nothing for the zone that the machine is set to.
    package var zoneName: String?
    /// The master switch: off, no alarm rings.
    package var isEnabled = true
    /// From so long before an alarm that has challenges, nothing can be done to escape it; 0 leaves the way open.
    package var lockSeconds = 1800
    package var snooze = SnoozeLimits()
    /// When, each evening, the device tries out what it needs to ring.
    package var preflight = DayRule.at(ClockTime(hour: 21, minute: 0) ?? .midnight)
    /// Whether holding both buttons ends a session: a code can burn.
    package var hasEmergencyExit = true
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member] = []
    /// Those at the top of the file that they were restored from: an export writes them there again.
    package var file = OpenObject()

    package init() {}

    /// The shortest and the longest snooze, whichever way round they were given.
    package var snoozeBounds: ClosedRange<Int> {
        min(snooze.minSeconds, snooze.maxSeconds)...max(snooze.minSeconds, snooze.maxSeconds)
    }
}

/// The shortest and the longest snooze that any alarm may have.
public struct SnoozeLimits: Hashable, Sendable {
    package var minSeconds = 300
    package var maxSeconds = 3600
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member] = []

    package init() {}
}

/// The sound of an alarm.
public struct RingSettings: Hashable, Sendable {
    /// The id of a sound.
    package var sound = "chimes01"
    /// 0.0 to 1.0.
    package var volume = 0.8
    /// How long the volume takes to rise to its full level.
    package var rampSeconds = 30
    /// How long it rings unanswered before it rests.
    package var ringSeconds = 1800
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member] = []

    package init() {}
}

/// The snooze of an alarm.
public struct SnoozeSettings: Hashable, Sendable {
    /// The length of a snooze that is asked for without one.
    package var seconds = 540
    /// How often it may be snoozed: 0 is never, nothing is without limit.
    package var max: Int? = 3
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member] = []

    package init() {}
}
