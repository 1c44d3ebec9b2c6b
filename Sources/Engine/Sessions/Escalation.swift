// The sound and the shaking of a session, by the time for which it has rung.

import Alarms

extension Session {
    /// Returns the sound settings with which it rings; nil if it is only felt. Without a shaker that works, the
    /// usual sound replaces a ring without sound.
    func audibleRing(at uptime: Int, hasShaker: Bool) -> (ring: RingSettings, isEscalated: Bool)? {
        var ring = terms.ring
        let escalated = escalation(at: uptime) { $0.sound != nil }?.sound
        if let escalated { ring.sound = escalated }
        guard ring.isSilent else { return (ring, escalated != nil) }
        guard !hasShaker || !shakes(at: uptime) else { return nil }
        (ring.sound, ring.volume) = (RingSettings().sound, RingSettings().volume)
        return (ring, false)
    }

    /// The settings with which it rings after its pause: an escalated sound stays.
    var ringAfterPause: RingSettings {
        var ring = terms.ring
        let risen = timing?.risenMilliseconds ?? 0
        let step = terms.escalation.last { $0.sound != nil && $0.afterSeconds * 1000 <= risen }
        ring.sound = step?.sound ?? ring.sound
        return ring
    }

    /// Returns true if it rings and the shaker shakes for it.
    func shakes(at uptime: Int) -> Bool { isRinging && (terms.ring.shakes || escalation(at: uptime, \.shakes) != nil) }

    /// Returns the last step of a kind that has been reached; nil if none has.
    private func escalation(at uptime: Int, _ isMeant: (EscalationStep) -> Bool) -> EscalationStep? {
        guard !terms.escalation.isEmpty, let start = timing?.rampStartUptime else { return nil }
        return terms.escalation.last { isMeant($0) && start + $0.afterSeconds * 1000 <= uptime }
    }

    /// Returns the uptime at which the next step is reached; nil if none is left.
    fileprivate func nextStepUptime(after uptime: Int) -> Int? {
        guard isRinging, let start = timing?.rampStartUptime else { return nil }
        return terms.escalation.lazy.map { start + $0.afterSeconds * 1000 }.first { $0 > uptime }
    }
}

extension Sessions {
    /// Returns the sound to play; nil if every session is only felt. An escalated sound takes precedence, then
    /// that of the first session with challenges, then of the first session. The volume is the highest and the
    /// ramp the earliest of all that ring, so that a soft alarm does not mask a loud one.
    func soundOrder(at uptime: Int, hasShaker: Bool) -> SoundOrder? {
        guard let index = currentIndex else { return chimeOrder(at: uptime, hasShaker: hasShaker) }
        let heard = all[index].occurrence
        var order = all[index].soundOrder(of: heard, at: uptime, hasShaker: hasShaker)
        guard all.count > 1 else { return order?.sound }
        for session in all where session.isRinging && session.occurrence != heard {
            guard let other = session.soundOrder(of: heard, at: uptime, hasShaker: hasShaker) else { continue }
            order = order.map { $0.joined(with: other) } ?? other
        }
        return order?.sound
    }

    /// Returns the order to the shaker; nil if no session that rings is felt.
    func shakeOrder(at uptime: Int) -> ShakeOrder? {
        var order: ShakeOrder?
        for session in all where session.shakes(at: uptime) {
            guard let start = session.timing?.rampStartUptime else { continue }
            order = ShakeOrder(
                rampSeconds: min(order?.rampSeconds ?? .max, session.terms.ring.rampSeconds),
                rampStartUptime: min(order?.rampStartUptime ?? .max, start))
        }
        return order ?? (isAnyRinging ? nil : gentleShakeOrder(at: uptime))
    }

    /// Returns the sessions that are felt and not recorded as such.
    func newlyShaken(at uptime: Int) -> [Occurrence] {
        all.filter { !$0.isShaken && $0.shakes(at: uptime) }.map(\.occurrence)
    }

    /// The uptime at which a ring changes next.
    func nextStepUptime(after uptime: Int) -> Int? {
        all.lazy.compactMap { $0.nextStepUptime(after: uptime) }.min()
    }
}

/// The sound of one session, with its precedence.
private struct RankedSound {
    var sound: SoundOrder
    /// The lowest rank plays: a session that has escalated, then one with challenges, then the first to ring.
    var rank: (Int, Int, Int)

    func joined(with other: RankedSound) -> RankedSound {
        var joined = self
        joined.sound.ring.volume = max(sound.ring.volume, other.sound.ring.volume)
        joined.sound.ring.rampSeconds = min(sound.ring.rampSeconds, other.sound.ring.rampSeconds)
        joined.sound.rampStartUptime = min(sound.rampStartUptime, other.sound.rampStartUptime)
        if other.rank < rank { (joined.sound.ring.sound, joined.rank) = (other.sound.ring.sound, other.rank) }
        return joined
    }
}

extension Session {
    fileprivate func soundOrder(of heard: Occurrence, at uptime: Int, hasShaker: Bool) -> RankedSound? {
        guard let timing, let (ring, isEscalated) = audibleRing(at: uptime, hasShaker: hasShaker) else { return nil }
        return RankedSound(
            sound: SoundOrder(occurrence: heard, ring: ring, rampStartUptime: timing.rampStartUptime),
            rank: (isEscalated ? 0 : 1, terms.challenges.isEmpty ? 1 : 0, ringOrder))
    }
}

extension Engine {
    /// True if a shaker is configured, and its line can be set.
    @inline(__always)
    var hasShaker: Bool { challengeState.hasShaker && preflight.health[.shaker]?.grade != .broken }
}
