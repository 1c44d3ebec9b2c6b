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
    /// Whether every alarm that is on can be stopped by the codes and tags that are enrolled.
    public var codesHealth: Health {
        var surroundings = surroundings
        // By the rule by which an alarm is taken or refused.
        let problems = alarms.filter(\.isEnabled).flatMap { $0.problems(among: &surroundings) }.filter {
            $0.weight == .unmet && ($0.place.hasSuffix(".codes") || $0.place.hasSuffix(".tags"))
        }
        guard !problems.isEmpty else { return .ok }
        return Health(.broken, Set(problems.map(\.reason)).sorted().prefix(5).joined(separator: "; "))
    }
}
