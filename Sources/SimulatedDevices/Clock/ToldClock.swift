// What a clock in a simulation knows beside the time, because somebody told it.

import Devices

/// How far a clock is to be believed, where it stands, and when it is to call.
struct ClockSettings: Sendable {
    var trust: ClockTrust
    var zoneName: String
    var times = WakeTimes()

    /// All that is to be told since it was as it was before, now that the clocks show this.
    mutating func events(since before: ClockSettings, at reading: ClockReading) -> [TimerEvent] {
        var events: [TimerEvent] = []
        if trust != before.trust { events.append(.trustChanged) }
        if zoneName != before.zoneName { events.append(.zoneChanged) }
        if times.removeDue(at: reading) { events.append(.due) }
        return events
    }
}
