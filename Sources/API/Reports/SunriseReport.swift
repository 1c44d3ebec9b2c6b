// The report of the sunrise in the status.

import Engine
import Text

/// The light of a ring. Between `from` and `until` its brightness rises evenly, so that a program which shows it
/// needs no message until the plan changes. Each change is a change of the status.
package struct SunriseReport: Codable, Hashable, Sendable {
    package enum State: String, Choice, Sendable {
        case planned, rising
        /// The alarm rings or is snoozed. The light is full, whatever the clock shows.
        case full
    }

    package let alarm: String
    package let label: String
    /// The state of the light now.
    package let state: State
    /// The instant at which it begins to rise.
    package let from: Timestamp
    /// The same instant as local time.
    package let fromLocal: LocalTime
    /// The instant from which it is full.
    package let until: Timestamp
    /// The same instant as local time.
    package let untilLocal: LocalTime
    /// The perceived brightness now, from 0 to 1.
    package let level: Double

    init(_ sunrise: Sunrise, now milliseconds: Int, in engine: Engine) {
        (alarm, label) = (sunrise.alarm.id, sunrise.alarm.label)
        state = sunrise.isFull ? .full : milliseconds < sunrise.from.milliseconds ? .planned : .rising
        (from, until) = (Timestamp(sunrise.from), Timestamp(sunrise.until))
        fromLocal = LocalTime(sunrise.from, in: engine.zone)
        untilLocal = LocalTime(sunrise.until, in: engine.zone)
        level = (sunrise.level(at: milliseconds) * 1000).rounded() / 1000
    }
}
