// Early rings: a movement of the sleeper begins a ring before its time.
//
// `Agenda.early` has the next ring of each alarm that allows this, at the first instant at which a movement
// begins it. From then on the step sensor is on. An early ring is the same occurrence: it moves the cursor to
// the planned instant, so the alarm does not ring again then. At the planned instant it rings in any case.

import Agenda
import Alarms
import CivilTime

extension Agenda {
    /// True if a movement begins a ring now. An untrusted clock may be hours wrong, so then no ring is early.
    var isListening: Bool { clock.isTrusted && early.firstInstant.map { $0 <= clock.instant } ?? false }

    /// The time from which the step sensor is needed.
    var listeningDeadline: Deadline {
        clock.isTrusted && !isListening ? .wall(early.firstInstant?.milliseconds) : .never
    }

    /// Returns the first ring that is due. If a person moves, so are the rings that may be early.
    func firstDue(isMoving: Bool) -> PlannedRing? {
        if let ring = due.first, ring.at.milliseconds <= clock.now { return ring }
        return isMoving && isListening ? early.first.flatMap { due[$0.occurrence.alarm] } : nil
    }
}

extension Engine {
    /// Applies a step to the challenge that asks for steps. Otherwise the step is a movement.
    mutating func step(at uptime: Int) {
        let isAsked = challengeState.current?.kind == .steps
        apply(.step(uptime: uptime), at: .steps)
        if !isAsked, challengeState.current?.kind != .steps { ringDue(isMoving: true) }
    }

    /// Returns the instant from which a movement begins a ring; nil if only its time does.
    package func earliest(_ ring: PlannedRing, of alarm: Alarm) -> Instant? {
        let listens = alarm.earlySeconds > 0 && clock.isTrusted && preflight.devices[.steps] == .usable
        return listens ? alarm.earliest(ring.at) : nil
    }
}
