// From which day intervals count where an alarm's owner has named none.

import CivilTime

/// The day on which the intervals of an alarm began, by the clock as it is.
public struct Beginning: Hashable, Sendable {
    /// The day.
    public var day: CivilDate
    /// Whether nobody trusted the clock by which that was the day, and the time has not been known since.
    public var isDoubtful: Bool

    /// A day, and whether it is.
    public init(_ day: CivilDate, isDoubtful: Bool = false) {
        (self.day, self.isDoubtful) = (day, isDoubtful)
    }
}
