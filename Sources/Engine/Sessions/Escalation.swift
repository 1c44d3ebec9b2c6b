// The escalation of a session, by the time for which it has rung.

import Alarms

extension Session {
    /// Returns the sound of the last step that has been reached; nil if none has.
    func escalatedSound(at uptime: Int) -> String? {
        guard let start = timing?.rampStartUptime else { return nil }
        return terms.escalation.last { start + $0.afterSeconds * 1000 <= uptime }?.sound
    }

    /// Returns the uptime at which the next step is reached; nil if none is left.
    func nextStepUptime(after uptime: Int) -> Int? {
        guard isRinging, let start = timing?.rampStartUptime else { return nil }
        return terms.escalation.lazy.map { start + $0.afterSeconds * 1000 }.first { $0 > uptime }
    }
}

extension Sessions {
    /// The uptime at which the sound changes next.
    func nextStepUptime(after uptime: Int) -> Int? {
        all.lazy.compactMap { $0.nextStepUptime(after: uptime) }.min()
    }
}
