// A silence that a session was granted: why, for how long, and when it must be over.

import Engine

/// The world's own account of a pause. Times are milliseconds of the world.
struct Silence {
    let reason: Session.Pause.Reason
    let began: Int
    let lengthMilliseconds: Int
    /// Of several that were asked for, the shortest.
    var shortestMilliseconds: Int
    /// When it must ring again.
    private(set) var deadline: Int
    /// How often the clock had been set.
    let changeCount: Int
    /// Whether it was seen to begin.
    let isSeen: Bool

    /// So much may pass between what was asked for and what comes of it: what was asked for before it, and a slow disk.
    static let patienceMilliseconds = 21_000
    /// So long a session rests that nobody answered.
    static let restMilliseconds = 300_000

    init(_ reason: Session.Pause.Reason, at now: Int, milliseconds: Int, _ clock: BestKnownClock, isSeen: Bool) {
        self.isSeen = isSeen
        (self.reason, began, lengthMilliseconds) = (reason, now, milliseconds)
        shortestMilliseconds = milliseconds
        deadline = now + milliseconds
        changeCount = clock.changeCount
    }

    /// The service started again. By a clock that went on nothing changes; by any other it is not known how much of it is
    /// left, but never more than all of it.
    ///
    /// `isBehind` says that not all was written down: what an earlier start has worked out is not known either.
    mutating func restarted(at now: Int, _ clock: BestKnownClock, isBehind: Bool) {
        // By a clock that went back it may be shorter.
        if !clock.isTrusted { shortestMilliseconds = 0 }
        if !clock.isTrusted || clock.changeCount != changeCount || isBehind && !isSeen {
            deadline = now + lengthMilliseconds
        }
    }

    /// The time is known: what was guessed is over when it should have been.
    mutating func clockIsTrusted(at now: Int, _ clock: BestKnownClock, isExact: Bool) {
        if isExact { deadline = max(now, min(deadline, began + lengthMilliseconds)) }
    }
}
