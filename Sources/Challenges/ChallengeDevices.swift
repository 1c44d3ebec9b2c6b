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

    package init() {}

    package init(kinds: Set<Challenge.Kind>, _ health: [Part: Health]) {
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
    package subscript(kind: Challenge.Kind?) -> DeviceState {
        guard let kind, kind != .roulette else { return .missing }
        return unusable[kind] ?? .usable
    }
}

extension DeviceState {
    /// The challenge that replaces one whose device is in this state. `isTyped`: numbers can be typed.
    package func replacement(isTyped: Bool) -> Challenge {
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
    package let kind: Challenge.Kind
    package let state: DeviceState
    package let replacement: Challenge

    package init(kind: Challenge.Kind, state: DeviceState, replacement: Challenge) {
        (self.kind, self.state, self.replacement) = (kind, state, replacement)
    }
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
