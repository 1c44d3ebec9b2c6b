// Since when something is as its owner wants it, by a clock that may be set.

import CivilTime

/// When something was changed, by the clock as it is. A clock that is set back makes that as long ago as it was, and one that
/// is set right again what it was before.
struct Since: Hashable, Sendable {
    let instant: Instant
    /// What it was before the clock was set back behind it.
    private let before: Instant?

    /// Since then, by the clock as it is.
    init(_ instant: Instant) {
        self.init(instant, before: nil)
    }

    private init(_ instant: Instant, before: Instant?) {
        (self.instant, self.before) = (instant, before)
    }

    /// The same when the clock was set.
    func after(_ step: Clock.Step) -> Since {
        instant > step.instant ? Since(step.shifted(instant), before: before ?? instant) : self
    }

    /// What it is again, where a clock that was wrong is set right by a step.
    func right(after step: Clock.Step) -> Instant? {
        before.flatMap { step.from < $0.milliseconds && $0 <= step.instant ? $0 : nil }
    }
}
