// How long is waited for the service: every wait has an end.

import Loop

/// How long is waited, in milliseconds.
struct Timeouts: Hashable, Sendable {
    /// Until it takes the call.
    var connectMilliseconds = 10_000
    /// Until it answers. A disk that is slow to write makes it take some 12 seconds.
    var answerMilliseconds = 20_000

    /// As long as the service may take.
    static let standard = Timeouts()
}

/// The end of a wait, by a clock that nobody sets.
struct Deadline {
    private let uptimeMilliseconds: Int

    init(in milliseconds: Int) { uptimeMilliseconds = Uptime.milliseconds + milliseconds }

    /// Never below zero. No single wait is longer than a minute.
    var millisecondsLeft: Int { min(60_000, max(0, uptimeMilliseconds - Uptime.milliseconds)) }
}
