// What a timer waits for, and what it has to tell: a value, which tests need not wait for.

import Devices

struct TimerPlan {
    var times = WakeTimes()
    /// What is known to whoever listens.
    private(set) var trust: ClockTrust
    /// When the zone's files are held to be in order again.
    private var zoneUptime: Int?
    /// When the clock's trust is asked for again.
    private var trustUptime: Int?
    /// Since when it has been asked for in vain.
    private var vainUptime: Int?

    /// Whoever sets a zone touches two files, one after the other.
    static let zoneMilliseconds = 200
    /// The kernel tells nobody when its clock is first in step, and mostly jumps then, which is noticed; but it may creep as
    /// well. As long as nobody has set the clock it is asked again and again; after that it never is while nothing happens.
    static let trustMilliseconds = 2000
    /// What has taken long may take longer: it is heard late by this part of the time that it took, and a machine that has no
    /// network is not woken for ever.
    static let trustBackoffPart = 60

    init(trust: ClockTrust, at reading: ClockReading) {
        self.trust = trust
        if !trust.isTrusted { backOffTrustPoll(than: reading) }
    }

    /// Another write within this time is waited for no longer: whoever writes all the time is heard all the same.
    mutating func touchZone(at reading: ClockReading) {
        zoneUptime = zoneUptime ?? reading.uptimeMilliseconds + TimerPlan.zoneMilliseconds
    }

    /// The clock's trust is to be asked for at once.
    mutating func doubtTrust() { (trustUptime, vainUptime) = (0, nil) }

    /// The same where nothing says that it has changed: it is asked for no more often by that.
    mutating func pollTrust() { trustUptime = 0 }

    private mutating func backOffTrustPoll(than reading: ClockReading) {
        let now = reading.uptimeMilliseconds
        let begin = vainUptime ?? now
        vainUptime = begin
        trustUptime = now + max(TimerPlan.trustMilliseconds, (now - begin) / TimerPlan.trustBackoffPart)
    }

    /// What is to be told, now that the clocks show this.
    mutating func tick(at reading: ClockReading, trust new: ClockTrust) -> [TimerEvent] {
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
