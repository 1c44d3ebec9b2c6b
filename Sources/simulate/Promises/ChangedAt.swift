// When something of the house was changed that alarms depend on, as far as that can be known from outside.

/// What alarms depend on besides what they say themselves.
enum Dependence: Hashable {
    case masterSwitch
    case calendar(String)
    case machineZone
    case settingsZone
}

/// When something came to be as it is, in milliseconds by the best-known clock.
struct ChangedAt {
    private(set) var at: Int
    /// A restart may not know that a clock that was wrong is right again: then it counts from here.
    private(set) var earliest: Int
    /// When that was each time before the clock was set back behind it: then again if that clock was wrong.
    private var before: [Int] = []
    /// Whether it was changed by a clock that was ahead: whatever is late by it still may ring.
    private(set) var isPulledBack = false
    /// Whether it is known again since a clock that was wrong was set right.
    private(set) var isRight = false
    /// Whether the service died before it could write that down.
    private(set) var isLost = false
    /// Whether nobody has seen when: it was so when the service started again, or the clock was set while it was asked for.
    let isUnseen: Bool

    init(_ at: Int, isUnseen: Bool = false) {
        (self.at, earliest, self.isUnseen) = (at, at, isUnseen)
    }

    /// The same where what is so late by a clock that was ahead still may ring.
    func earliest(lateBy milliseconds: Int) -> Int { isPulledBack ? earliest - milliseconds : earliest }

    /// The clock shows an earlier time than before, by so much: it may count from as long ago as it was.
    mutating func clockWasSetBack(to now: Int, by milliseconds: Int) {
        guard at > now else { return }
        earliest = min(earliest, now, at - milliseconds, earliest > now ? earliest - milliseconds : earliest)
        before.append(at)
        (at, isPulledBack, isRight) = (now, true, false)
    }

    /// A clock that was wrong has passed these times by being set right.
    mutating func clockWasSetRight(past passed: ClosedRange<Int>) {
        // Of several clocks that were set one behind the other, whichever was the right one.
        guard let last = before.filter({ passed.contains($0) }).max() else { return }
        before.removeAll { $0 <= last }
        (at, isRight) = (last, true)
    }

    /// Whatever has happened is durable.
    mutating func allIsKept() {
        if !isLost { earliest = at }
    }

    mutating func died() {
        if earliest != at { isLost = true }
    }
}
