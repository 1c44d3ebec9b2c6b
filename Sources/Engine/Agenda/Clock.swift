// What time it is, as far as that can be known.

import CivilTime

/// The system's clock, and how far it can be believed.
///
/// A Pi has no clock of its own: after a power cut its time is where it stopped, or worse. Until the time is trusted it is
/// held to be no earlier than the newest thing that was ever recorded.
struct Clock: Sendable {
    /// Whether the time was set by someone who knows it.
    private(set) var isTrusted = false
    /// Milliseconds from the start of the machine to now.
    private(set) var uptime = 0
    /// Milliseconds since 1970, the best that is known.
    private(set) var now = 0
    /// How far the best that is known is ahead of the system's clock.
    private var ahead = 0
    /// What the system's clock showed when the machine was started, by what it shows now.
    private var wallAtStart: Int?

    /// Changes whenever the clock is set.
    private(set) var version = 0

    /// A clock that is adjusted creeps; one that jumps further than this between two looks was set.
    static let creepMax = 500

    /// A clock that was set.
    struct Step: Hashable, Sendable {
        /// What it would show.
        var from: Int
        /// What it shows.
        var to: Int

        /// The second that it shows.
        var instant: Instant { Instant(milliseconds: to) }

        /// The second that it would show.
        var fromInstant: Instant { Instant(milliseconds: from) }
    }

    /// Reads the clocks; `newest` is the time of the newest record. Answers with the step, if the best known time has jumped.
    mutating func update(at moment: Moment, newest: Int) -> Step? {
        let elapsed = max(0, moment.uptimeMilliseconds - uptime)
        let expected = now + elapsed
        uptime += elapsed
        let wall = moment.wallMilliseconds
        let start = wall - moment.uptimeMilliseconds
        let wasSet = wallAtStart.map { abs(start - $0) > Clock.creepMax } ?? true
        let isFirst = wallAtStart == nil
        wallAtStart = start
        if wasSet, !isTrusted { ahead = max(0, newest - wall) }
        now = wall + ahead
        guard wasSet, !isFirst, abs(now - expected) > Clock.creepMax else { return nil }
        version += 1
        return Step(from: expected, to: now)
    }

    /// Believes the system's clock from now on, or no longer.
    mutating func trust(_ isTrusted: Bool) {
        self.isTrusted = isTrusted
        if isTrusted, ahead > 0 {
            now -= ahead
            ahead = 0
            version += 1
        }
    }

    /// Whether the system's clock shows less than what was written down last, and nobody has set it yet.
    var hasGoneBack: Bool { !isTrusted && ahead > Clock.creepMax }

    /// The second that has begun.
    var instant: Instant { Instant(milliseconds: now) }

    /// What the system's clock will show when the best that is known is `milliseconds`.
    func wall(_ milliseconds: Int) -> Int { milliseconds - ahead }
}
