// The deadlines of a timer and the events due: a value, so that tests need not wait.

import CivilTime
import Devices

struct TimerPlan {
    var times = WakeTimes()
    /// The trust that was last reported.
    private(set) var trust: ClockTrust
    /// When a change of the zone is reported; nil if none is pending.
    private var zoneUptime: Int?
    /// When the trust is read next; nil if the clock is trusted.
    private var trustUptime: Int?
    /// When the trust was first read and not found.
    private var vainUptime: Int?

    /// The delay before a change of the zone is reported: tools write two files, one after the other.
    static let zoneMilliseconds = 200
    /// The shortest pause between two reads of the trust. The kernel sends no event when the clock is first
    /// synchronised. Usually the clock jumps then, which the timer reports, but it may also creep. So the
    /// trust is polled until the clock is trusted.
    static let trustMilliseconds = 2000
    /// The pause is at least the time waited so far, divided by this. Otherwise a machine without a network
    /// would be woken for ever.
    static let trustBackoffPart = 60

    init(trust: ClockTrust, at reading: Moment) {
        self.trust = trust
        if !trust.isTrusted { backOffTrustPoll(than: reading) }
    }

    /// Starts the delay of a change of zone. Later writes do not extend it, so constant writing cannot hide
    /// the change.
    mutating func touchZone(at reading: Moment) {
        zoneUptime = zoneUptime ?? reading.uptimeMilliseconds + TimerPlan.zoneMilliseconds
    }

    /// Makes a read of the trust due at once, and restarts the backoff.
    mutating func doubtTrust() { (trustUptime, vainUptime) = (0, nil) }

    /// Makes a read of the trust due at once, without a restart of the backoff.
    mutating func pollTrust() { trustUptime = 0 }

    private mutating func backOffTrustPoll(than reading: Moment) {
        let now = reading.uptimeMilliseconds
        let begin = vainUptime ?? now
        vainUptime = begin
        trustUptime = now + max(TimerPlan.trustMilliseconds, (now - begin) / TimerPlan.trustBackoffPart)
    }

    /// Returns the events that are due at this reading, and records the trust.
    mutating func tick(at reading: Moment, trust new: ClockTrust) -> [TimerEvent] {
        var events: [TimerEvent] = []
        if new != trust { events.append(.trustChanged) }
        trust = new
        if new.isTrusted {
            (trustUptime, vainUptime) = (nil, nil)
        } else if trustUptime.map({ $0 <= reading.uptimeMilliseconds }) ?? true {
            backOffTrustPoll(than: reading)
        }
        if let uptime = zoneUptime, uptime <= reading.uptimeMilliseconds {
            zoneUptime = nil
            events.append(.zoneChanged)
        }
        if times.removeDue(at: reading) { events.append(.due) }
        return events
    }

    var uptimeMilliseconds: Int? {
        [times.uptimeMilliseconds, zoneUptime, trustUptime].compactMap(\.self).min()
    }
}
