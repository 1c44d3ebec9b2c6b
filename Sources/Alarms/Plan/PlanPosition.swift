// How far an alarm is in its plan.

import CivilTime

/// How far an alarm is in its plan: what its next ring depends on beside the owner's words.
public struct PlanPosition: Hashable, Sendable {
    /// Names the alarm's *when* as its owner last had it: what was decided about an earlier one does not touch a later one.
    package var revision: Int
    /// What was due at or before this had its turn, or was not wanted.
    package var cursor: Instant
    /// The day that the alarm counts from, where its owner named none.
    package var anchor: Anchor?
    /// Whether the cursor was set by a clock that was not trusted, and the time has not become trusted since.
    package var isProvisional: Bool

    package init(revision: Int, cursor: Instant, anchor: Anchor? = nil, isProvisional: Bool = false) {
        self.revision = revision
        self.cursor = cursor
        self.anchor = anchor
        self.isProvisional = isProvisional
    }

    /// A ring had its turn.
    package mutating func pass(_ instant: Instant) {
        cursor = max(cursor, instant)
        if let anchor, !anchor.hadTurn, anchor.at <= instant { self.anchor?.turn = instant }
    }
}
