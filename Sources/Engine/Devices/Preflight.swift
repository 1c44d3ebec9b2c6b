// Trying out what ringing needs, while there is still time to mend it.

import Alarms
import CivilTime

extension Engine {
    /// The next time of the evening at which it is done.
    mutating func planPreflight(after instant: Instant) {
        guard case .at(let time) = ledger.settings.preflight else {
            preflightAt = nil
            return
        }
        var evening = Alarm(id: "preflight")
        evening.time = time
        evening.recurrence = Recurrence(.daily)
        preflightAt =
            Schedule(evening, in: zones.device(ledger.settings), since: instant).next(after: instant)?.occurrence.at
    }

    mutating func watchPreflight() {
        // What rings needs the speaker and the camera for itself.
        guard ledger.sessions.isEmpty, let preflightAt, preflightAt.milliseconds <= clock.now else { return }
        effects.append(.preflight)
        planPreflight(after: clock.instant)
    }

    /// A part was found to be in order, or not. Only what has changed is written down.
    mutating func found(_ part: Part, _ health: Health) {
        guard ledger.health[part] != health else { return }
        note(.healthChanged(part, health))
        if health.grade == .broken { effects.append(.notify(.broken(part, health))) }
    }
}

extension Engine {
    /// Whether every code and tag that alarms which are on ask for by name is enrolled.
    public var codesHealth: Health {
        let known = Set(codes.map(\.label))
        let missing = alarms.filter(\.isEnabled).flatMap(\.challenges).flatMap(\.labels).filter { !known.contains($0) }
        guard !missing.isEmpty else { return .ok }
        return Health(.broken, "Not enrolled: \(Set(missing).sorted().joined(separator: ", "))")
    }
}

extension Challenge {
    fileprivate var labels: [String] {
        switch task {
        case .code(let labels), .tag(let labels): labels
        case .roulette(let others): others.flatMap(\.labels)
        case .sums, .steps, .pattern, .unknown: []
        }
    }
}
