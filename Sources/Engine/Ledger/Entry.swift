// What lasts: something that is true from then on, and when it became so.

import CivilTime

/// One fact with its time: what the journal keeps, and what everything that the engine knows is made of.
public struct Entry: Hashable, Sendable {
    /// When, by the best time that was known.
    public var millisecondsSince1970: Int
    /// What.
    public var fact: Fact

    /// A fact at a time.
    public init(millisecondsSince1970: Int, _ fact: Fact) {
        self.millisecondsSince1970 = millisecondsSince1970
        self.fact = fact
    }

    /// The second in which it became one.
    var instant: Instant { Instant(secondsSince1970: millisecondsSince1970.dividedDown(by: 1000)) }
}
