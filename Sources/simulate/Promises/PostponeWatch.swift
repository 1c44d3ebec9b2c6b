// Promise 1 for rings that were put off: each rings at its new time, or is reported as missed.

import Agenda
import Alarms
import Engine

/// The checker's record of the rings that were put off.
struct PostponeWatch {
    /// The ring of each alarm that was put off, as the engine shows it.
    private(set) var shown: [Alarm.ID: PostponedRing] = [:]
    private(set) var nextDue: Int?

    func isPutOff(_ occurrence: Occurrence) -> Bool { shown[occurrence.alarm]?.ring == occurrence.at }

    /// Returns true if a session is the ring that was put off to that time.
    func expects(_ session: Session) -> Bool {
        session.postponedTo.map { to in
            shown[session.occurrence.alarm].map { $0.ring == session.occurrence.at && $0.until == to } ?? false
        } ?? false
    }

    func missed(_ id: Alarm.ID, in history: [PastRing]) -> Occurrence? {
        history.last { $0.missed?.postponed != nil && $0.occurrence.alarm == id }?.occurrence
    }

    /// Checks the rings that are no longer put off: they ring or were missed, or their alarm was changed.
    mutating func read(
        _ postponed: [Alarm.ID: PostponedRing], changed: Set<Alarm.ID>, isExcused: Bool, _ night: Simulation,
        _ checker: InvariantChecker
    ) {
        let now = checker.bestNow(night)
        for (id, old) in shown
        where postponed[id] != old && !changed.contains(id) && !isExcused
            && night.published.alarm(id) != nil
        {
            let occurrence = Occurrence(alarm: id, at: old.ring)
            let hasRung =
                night.published.history.contains { $0.occurrence == occurrence }
                || night.published.status.sessions.contains { $0.session.occurrence == occurrence }
            if !hasRung || postponed[id] == nil && old.until.milliseconds > now {
                checker.report(.rings, "\(occurrence) was put off to \(old.until), and does not ring")
            }
        }
        shown = postponed
        nextDue = postponed.filter { night.published.alarm($0.key)?.isEnabled == true }
            .values.map(\.until.milliseconds).min()
    }

    func check(_ night: Simulation, now: Int, isOn: Bool, _ checker: InvariantChecker) {
        guard isOn, let nextDue, nextDue + ExpectedRings.graceMilliseconds <= now else { return }
        checker.report(.rings, "a ring was put off to \(nextDue), and does not ring")
    }
}
