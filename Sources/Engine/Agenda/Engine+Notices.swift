// The notices that are due.

import Agenda
import Alarms

extension Engine {
    /// Gives the notices that are due.
    mutating func giveNotices() {
        while let next = agenda.nextNotice, next.at <= clock.instant, let entry = agenda.alarms[next.occurrence.alarm] {
            let due = agenda.dueNotices(of: entry)
            for (ring, seconds) in due {
                record(.noticeGiven(Occurrence(alarm: entry.id, at: ring.at), seconds: seconds))
                effects.append(.prompt(.notice(ring)))
            }
            if due.isEmpty { agenda.plan(entry.id) }
        }
    }
}
