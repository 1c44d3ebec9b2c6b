// One thing about an alarm made easier for who sleeps, or harder.

import Alarms
import CivilTime

extension Alarm {
    /// The same, but easier to sleep through or to be done with.
    func eased(_ ease: Want.Ease) -> Alarm {
        var alarm = self
        switch ease {
        case .volume: alarm.ring.volume = 0.3
        case .ramp: alarm.ring.rampSeconds = 600
        case .ringing: alarm.ring.ringSeconds = 60
        case .snoozes: alarm.snooze.max = snooze.max.map { $0 + 1 }
        case .snoozeLength: alarm.snooze.seconds = 3000
        case .lateness: alarm.lateWindowSeconds = 0
        case .challenges: alarm.challenges = challenges.dropLast()
        case .sums: alarm.challenges = challenges.map { $0.sized(1) }
        case .codes: alarm.challenges = challenges.map { $0.with(["bathroom", "kitchen", "attic"]) }
        case .time: alarm.time = moved(bySeconds: 300)
        }
        return alarm
    }

    /// The same, but harder.
    func hardened(_ ease: Want.Ease) -> Alarm {
        var alarm = self
        switch ease {
        case .volume: alarm.ring.volume = 1
        case .ramp: alarm.ring.rampSeconds = 0
        case .ringing: alarm.ring.ringSeconds = 3600
        case .snoozes: alarm.snooze.max = snooze.max.map { max(0, $0 - 1) } ?? 3
        case .snoozeLength: alarm.snooze.seconds = 300
        case .lateness: alarm.lateWindowSeconds = 43_200
        case .challenges:
            if !challenges.contains(Challenge(.steps(count: 11))) { alarm.challenges.append(.init(.steps(count: 11))) }
        case .sums: alarm.challenges = challenges.map { $0.sized(3) }
        case .codes: alarm.challenges = challenges.map { $0.with(["bathroom"]) }
        case .time: alarm.time = moved(bySeconds: -300)
        }
        return alarm
    }

    /// Its time, but so much later.
    func moved(bySeconds seconds: Int) -> ClockTime? {
        let moved = ((time?.secondsSinceMidnight ?? 0) + seconds + 86_400) % 86_400
        return ClockTime(hour: moved / 3600, minute: moved / 60 % 60)
    }
}

extension Challenge {
    /// The same with so many sums.
    fileprivate func sized(_ count: Int) -> Challenge {
        guard case .sums(let level, _, let limit) = task else { return self }
        return Challenge(.sums(level: level, count: count, limitSeconds: limit))
    }

    /// The same by these codes.
    fileprivate func with(_ labels: [String]) -> Challenge {
        guard case .code = task else { return self }
        return Challenge(.code(labels: labels))
    }
}
