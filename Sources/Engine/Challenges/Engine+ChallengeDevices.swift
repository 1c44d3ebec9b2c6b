// The challenges that others would replace, and the devices that were pulled out.

import Alarms
import Challenges
import CivilTime
import Health

extension Engine {
    /// Returns the challenges of an alarm that others would replace if it rang now, each kind once. A roulette
    /// may draw any of its challenges.
    package func replaced(in alarm: Alarm) -> [ReplacedChallenge] {
        let kinds = alarm.challenges.flatMap(\.kinds)
        return Challenge.Kind.allCases.compactMap { kind in
            let state = preflight.devices[kind]
            guard kind != .roulette, kinds.contains(kind), state != .usable else { return nil }
            return ReplacedChallenge(kind: kind, state: state, replacement: replacement(of: state))
        }
    }

    private func replacement(of state: DeviceState) -> Challenge {
        state.replacement(isTyped: challengeState.canType(preflight.devices))
    }

    // MARK: devices that were pulled out

    /// Returns the health that was found, with a mark if the device was pulled out: it worked before, and an
    /// alarm is locked or rings.
    func markingPulledOut(_ part: Part, _ found: Health) -> Health {
        guard found.isUnusable, let before = preflight.health[part],
            Challenge.Kind.allCases.contains(where: { $0.device == part })
        else { return found }
        if let cause = before.pulledOut { return found.adding(cause) }
        guard !before.isUnusable, let last = lastRing else { return found }
        let zone = agenda.zones.device(agenda.settings)
        let nextDay = CivilDateTime(zone.local(last).date.advanced(by: 1), .midnight)
        return found.adding(.pulledOut(until: zone.instants(of: nextDay).first))
    }

    /// The last of the rings that are open or locked; nil if there is none.
    private var lastRing: Instant? {
        let locked = lockedAlarms.compactMap { agenda.nextToLock($0)?.occurrence.at }
        return (sessions.all.map(\.occurrence.at) + locked).max()
    }

    /// The end of the day for which a device counts as pulled out. No day is over by an untrusted clock.
    var pulledOutDeadline: Deadline {
        guard let until = preflight.pulledOutUntil, clock.isTrusted, sessions.isEmpty else { return .never }
        return .wall(until.milliseconds)
    }

    /// Records that devices are only broken from now on: the day on which they were pulled out is over.
    mutating func endPulledOut() {
        guard pulledOutDeadline.hasCome(at: clock) else { return }
        for (part, health) in preflight.knownHealth {
            guard let until = health.pulledOutUntil, until <= clock.instant else { continue }
            record(.healthChanged(part, health.withoutPulledOut))
        }
    }
}
