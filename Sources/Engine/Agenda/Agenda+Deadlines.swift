// The deadlines of the agenda. They are part of the engine, which reads them at each input.

import Agenda
import Alarms
import CivilTime

extension Agenda {
    var nextRingDeadline: Deadline { .wall(due.firstInstant?.milliseconds) }

    var nextNoticeDeadline: Deadline { .wall(notices.firstInstant?.milliseconds) }

    var nextLockDeadline: Deadline { .wall(nextLock?.milliseconds) }

    /// While the clock is not trusted, no day is over.
    var nextLeftOutDeadline: Deadline { clock.isTrusted ? .wall(leftOut.firstInstant?.milliseconds) : .never }
}
