// The devices that challenges need, and the challenge that replaces another one while its device is missing.
//
// Without its device a challenge could never be completed, and only the emergency exit would end the ring.
// So sums replace it:
//
// 1. If the device is not configured or is known to be broken, a few sums replace the challenge at once.
// 2. A camera without frames for a minute counts as broken, because a driver may not notice.
// 3. A device that fails in the lock window or during a ring was perhaps pulled out to avoid the challenge.
//    It is awaited for ten minutes, and twice as many sums replace it. From the next day on it is only broken.
// 4. When the device works again, so does the challenge.

import Alarms
import CivilTime
import Health

package enum DeviceState: Hashable, Sendable {
    /// No fault is known.
    case usable
    /// The device is not configured.
    case missing
    case broken
    /// The device failed while an alarm was locked or rang.
    case pulledOut
}

extension Challenge.Kind {
    /// The device that a challenge of this kind needs; nil if it needs none.
    package var device: Part? {
        switch self {
        case .qr: .camera
        case .tag: .tags
        case .steps: .steps
        case .pattern: .buttons
        case .math, .roulette: nil
        }
    }
}

extension Challenge {
    /// The kinds that the challenge may ask for: a roulette draws one of its challenges.
    package var kinds: [Kind] {
        if case .roulette(let choices) = task { choices.flatMap(\.kinds) } else { kind.map { [$0] } ?? [] }
    }
}

/// The state of the device of each kind of challenge.
package struct ChallengeDevices: Hashable, Sendable {
    /// The kinds whose device cannot be used.
    private var unusable: [Challenge.Kind: DeviceState] = [:]

    init() {}

    init(kinds: Set<Challenge.Kind>, _ health: [Part: Health]) {
        for kind in Challenge.Kind.allCases {
            guard let device = kind.device else { continue }
            if !kinds.contains(kind) {
                unusable[kind] = .missing
            } else if let health = health[device], health.isUnusable {
                unusable[kind] = health.pulledOut == nil ? .broken : .pulledOut
            }
        }
    }

    /// The state for a kind; nil is one that this version does not have.
    subscript(kind: Challenge.Kind?) -> DeviceState {
        guard let kind, kind != .roulette else { return .missing }
        return unusable[kind] ?? .usable
    }
}

extension DeviceState {
    /// The challenge that replaces one whose device is in this state. `isTyped`: numbers can be typed.
    func replacement(isTyped: Bool) -> Challenge {
        let count = self == .pulledOut ? 10 : 5
        return Challenge(isTyped ? .sums(level: 3, count: count, limitSeconds: 60) : .pattern(length: count))
    }
}

/// The device of a challenge in progress.
struct DeviceWatch: Hashable, Sendable {
    let kind: Challenge.Kind?
    private(set) var state = DeviceState.usable
    /// The time of the last frame or of the pulling out, otherwise the start of the challenge.
    private var sinceUptime: Int
    private var hasDelivered = false

    private static let framelessMilliseconds = 60_000
    private static let pulledOutMilliseconds = 600_000

    init(_ kind: Challenge.Kind?, uptime: Int) { (self.kind, sinceUptime) = (kind, uptime) }

    /// Records a frame of the camera.
    mutating func deliver(at uptime: Int) { (sinceUptime, hasDelivered) = (uptime, true) }

    mutating func update(_ new: DeviceState, at uptime: Int) {
        if new == .pulledOut, state != new { sinceUptime = uptime }
        state = new
    }

    /// The time from which another challenge replaces this one; nil if the device is usable.
    var missingUptime: Int? {
        switch state {
        case .pulledOut: sinceUptime + DeviceWatch.pulledOutMilliseconds
        case .missing: .min
        case .broken where !hasDelivered: .min
        case .broken, .usable: kind == .qr ? sinceUptime + DeviceWatch.framelessMilliseconds : nil
        }
    }

    func isMissing(at uptime: Int) -> Bool { missingUptime.map { $0 <= uptime } ?? false }
}

/// A challenge of an alarm that another one would replace now.
package struct ReplacedChallenge: Hashable, Sendable {
    package var kind: Challenge.Kind
    package var state: DeviceState
    package var replacement: Challenge
}

extension ReplacedChallenge {
    /// Text such as "5 sums instead of the tag (this device has no tag reader)".
    package var text: String {
        let delay = state == .pulledOut ? " after ten minutes" : ""
        return "\(replacement.summary) instead of the \(kind.name.lowercased())\(delay) (\(reason))"
    }

    private var reason: String {
        guard state != .missing, let device = kind.device else { return kind.lack }
        return device.faultText
    }
}

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
