// How an alarm sounds, and how it may be snoozed.

import JSON

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
    /// How long a snooze lasts when nobody says otherwise.
    package var seconds = 540
    /// How often it may be snoozed: 0 is never, nothing is without limit.
    package var max: Int? = 3
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member] = []

    package init() {}
}
