// Steps that a counter has counted, at their times.

/// What the values of a step counter come to, which is read now and then.
///
/// A counter tells how many steps there were, and not when. Each is dated as early as it can have been taken: so no step of a
/// walk is lost, however late the counter is read, and none follows another faster than anybody walks.
public struct CountedSteps: Hashable, Sendable {
    private var count: Int
    /// No further step can have been taken before.
    private var earliestUptime: Int
    private var readUptime: Int

    /// From one step to the next: the engine takes what comes sooner for the same step.
    static let apartMilliseconds = 250
    /// Counters tell the first steps of a walk only when they are sure that it is one.
    static let belatedMilliseconds = 5000

    /// The first reading of a counter is its baseline: steps that it counted before are not reported.
    public init(count: Int32, uptime: Int) {
        (self.count, earliestUptime, readUptime) = (Int(count), uptime, uptime)
    }

    /// The times of the steps since the last reading. None where the counter went back, for then it has begun anew; nor where it
    /// went farther than anybody can have walked, for then it has gone wrong.
    public mutating func read(_ count: Int32, uptime: Int) -> [Int] {
        let added = Int(count) - self.count
        let first = max(earliestUptime, readUptime - CountedSteps.belatedMilliseconds)
        (self.count, readUptime) = (Int(count), uptime)
        guard added > 0 else { return [] }
        guard first + (added - 1) * CountedSteps.apartMilliseconds <= uptime else {
            earliestUptime = uptime
            return []
        }
        earliestUptime = first + added * CountedSteps.apartMilliseconds
        return (0..<added).map { first + $0 * CountedSteps.apartMilliseconds }
    }
}
