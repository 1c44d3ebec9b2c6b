// The settings of the device, and the sound and the snooze of an alarm.

import CivilTime
import JSON

/// The device's settings, which planning and sessions use.
public struct Settings: Hashable, Sendable {
    /// The device's zone; nil for the machine's zone.
    package var zoneName: String?
    /// The master switch. If it is off, no alarm rings.
    package var isEnabled = true
    /// The length of the lock window before an alarm with challenges. Within it, no change may make the
    /// alarm easier or later. 0 disables it.
    package var lockSeconds = 1800
    package var snooze = SnoozeLimits()
    /// The daily time at which the device tests the parts that it needs to ring, or off.
    package var preflight = DayRule.at(ClockTime(hour: 21, minute: 0) ?? .midnight)
    /// True if holding both buttons ends a session: a printed code can burn or get lost.
    package var hasEmergencyExit = true
    /// The bedtimes by weekday, at which the owner is reminded. A weekday without one has no reminder.
    package var bedtime: [Weekday: DayRule] = [:]
    /// True if a bedtime has a soft chime.
    package var bedtimeChime: Bool?
    /// The form in which clients show times of day.
    package var hourFormat = HourFormat.twentyFour
    /// The sound, the snooze and the challenges of new alarms.
    package var defaults = AlarmDefaults()
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []
    /// Unknown fields at the top of the file from which the settings were restored. An export writes them
    /// there again.
    package var file = OpenObject()

    package init() {}

    /// The settings of a new device, with the unknown members of these.
    package var reset: Settings {
        var settings = Settings()
        (settings.unknown, settings.file) = (unknown, file)
        return settings
    }

    /// The shortest and the longest snooze, in order even if the owner swapped them.
    package var snoozeBounds: ClosedRange<Int> {
        min(snooze.minSeconds, snooze.maxSeconds)...max(snooze.minSeconds, snooze.maxSeconds)
    }
}

/// The shortest and the longest snooze that any alarm may have.
public struct SnoozeLimits: Hashable, Sendable {
    package var minSeconds = 300
    package var maxSeconds = 3600
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}
}

/// The sound of an alarm.
public struct RingSettings: Hashable, Sendable {
    /// The id of a sound, or `none`.
    package var sound = "chimes01"
    /// 0.0 to 1.0.
    package var volume = 0.8
    /// The time in which the volume rises to its full level.
    package var rampSeconds = 30
    /// The time for which an alarm rings unanswered before it rests.
    package var ringSeconds = 1800
    /// The number of times that an alarm rings unanswered before it gives up.
    package var rounds = roundsDefault
    /// The length of its rest between two rounds.
    package var restSeconds = restSecondsDefault
    /// True if the bed shaker shakes during the ring.
    package var shake: Bool?
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}

    /// The id for no sound.
    package static let noSound = "none"

    package var shakes: Bool {
        get { shake ?? false }
        set { shake = newValue }
    }

    /// True if the ring makes no sound, and is felt at most.
    package var isSilent: Bool { sound == RingSettings.noSound || volume == 0 }

    static let roundsDefault = 3
    static let restSecondsDefault = 300
}

/// The snooze of an alarm.
public struct SnoozeSettings: Hashable, Sendable {
    /// The length of a snooze if the request names none.
    package var seconds = 540
    /// The number of snoozes allowed: 0 for none, nil for no limit.
    package var max: Int? = 3
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member] = []

    package init() {}
}
