// Steps that a counter has counted, at their times.

/// What the values of a step counter come to, which is read now and then.
///
/// A counter tells how many steps there were, and not when. Each is dated as early as it can have been taken: so no step of a
/// walk is lost, however late the counter is read, and none follows another faster than anybody walks.
public struct CountedSteps: Hashable, Sendable {
    private var count: Int
    /// No further step can have been taken before.
    private var earliestUptime: Int

    /// From one step to the next: the engine takes what comes sooner for the same step.
    static let apartMilliseconds = 250
    /// Counters tell the first steps of a walk only when they are sure that it is one. A counter that jumps farther than
    /// somebody can have walked in that time has not counted a walk.
    static let belatedMilliseconds = 5000

    /// A counter that is read for the first time, then: what it has counted before is nobody's.
    public init(count: Int32, uptime: Int) {
        (self.count, earliestUptime) = (Int(count), uptime)
    }

    /// The times of the steps since the last reading; none where the counter went back, for then it has begun anew.
    public mutating func read(_ count: Int32, uptime: Int) -> [Int] {
        let added = max(0, Int(count) - self.count)
        self.count = Int(count)
        let first = max(earliestUptime, uptime - CountedSteps.belatedMilliseconds)
        let uptimes = Array(stride(from: first, through: uptime, by: CountedSteps.apartMilliseconds).prefix(added))
        if let last = uptimes.last { earliestUptime = last + CountedSteps.apartMilliseconds }
        return uptimes
    }
}
