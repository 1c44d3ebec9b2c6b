// Chores that their owner reports as done, before or after their ring.

import Agenda
import Alarms
import CivilTime
import Text

/// A ring that was done before it was due, and so does not ring.
package struct DoneAhead: Hashable, Sendable {
    package let label: String
    package let note: String
    package let category: String
    /// The revision of the alarm's schedule.
    package let revision: Int
    /// True if the alarm is a one-time alarm with no ring left.
    package let switchesOff: Bool

    package init(label: String, note: String, category: String, revision: Int, switchesOff: Bool) {
        (self.label, self.note, self.category) = (label, note, category)
        (self.revision, self.switchesOff) = (revision, switchesOff)
    }
}

/// The time at which a ring was reported as done, and the sender of the report.
package struct DoneMark: Hashable, Sendable {
    package let milliseconds: Int
    package let sender: Sender

    package init(_ milliseconds: Int, by sender: Sender) { (self.milliseconds, self.sender) = (milliseconds, sender) }
}

extension Engine {
    /// Marks the last ring of an alarm as done; if it is done already, the next, provided that the next is
    /// nearer.
    func done(_ entry: AlarmEntry, _ context: CommandContext) throws(Refusal) -> Decision {
        // A session that has begun since the command came goes on.
        guard sessions[alarm: entry.id] == nil else { throw .ringing }
        let (last, next) = (sessions.past.last(of: entry.id), agenda.due[entry.id])
        func isNearer(_ last: PastRing) -> Bool {
            next.map { abs(clock.instant.seconds(since: last.due)) <= $0.at.seconds(since: clock.instant) } ?? true
        }
        // A ring that was put off is the one that its owner means.
        if let last, next?.isPostponed != true, last.done == nil || isNearer(last) {
            guard last.done == nil else { throw .doneAlready(entry.alarm.name) }
            try refuse(last.occurrence, unlessIn: context)
            var marked = last
            marked.done = DoneMark(clock.now, by: context.sender)
            let saved = SavedAlarm(entry.shown, next: next)
            return ([.done(last.occurrence, nil, by: context.sender)], .ringDone(marked, saved))
        }
        guard let ring = next?.occurrence else { throw .problems([Problem("", "the alarm has no ring to be done")]) }
        try refuse(ring, unlessIn: context)
        guard !isLocked(entry) else { throw refusal(entry, "its ring cannot be done ahead of time") }
        guard entry.alarm.isPostponable else {
            throw .problems([Problem("", "the alarm has challenges, so it is not done ahead of time: skip it instead")])
        }
        let ahead = DoneAhead(
            label: entry.alarm.label, note: entry.alarm.note, category: entry.alarm.category,
            revision: entry.position.revision,
            switchesOff: agenda.isSpent(entry.with(postponed: .some(nil)), after: ring.at))
        let done = PastRing(ring, ahead, DoneMark(clock.now, by: context.sender))
        let rest = entry.leavingOut(ring.at).with(postponed: .some(nil)) { alarm, _ in
            if ahead.switchesOff { alarm.isEnabled = false }
        }
        let saved = SavedAlarm(rest.shown, next: ahead.switchesOff ? nil : agenda.nextRing(of: rest))
        return ([.done(ring, ahead, by: context.sender)], .ringDone(done, saved))
    }

    private func refuse(_ ring: Occurrence, unlessIn context: CommandContext) throws(Refusal) {
        guard let meant = context.request?.ifRing, meant != ring else { return }
        throw .problems([Problem("ifRing", "is not the ring of this alarm that would be done")])
    }

    /// Returns the ring of a chore that was missed or unanswered, and is not done. A chore is an alarm that
    /// can be put off.
    package func openRing(of id: Alarm.ID) -> PastRing? {
        guard let ring = sessions.past.open[id], agenda.alarms[id]?.alarm.isPostponable == true,
            sessions[alarm: id] == nil
        else { return nil }
        return ring
    }

    /// The open rings, the oldest first.
    var openRings: [PastRing] {
        sessions.past.open.keys.compactMap(openRing).sorted { $0.due < $1.due }
    }
}
