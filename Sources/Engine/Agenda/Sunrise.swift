// The sunrise: a light that rises before a ring, and is full until its session ends.

import Alarms
import CivilTime

/// The light of one ring, by the best-known time.
package struct Sunrise: Hashable, Sendable {
    package let alarm: AlarmName
    /// The time from which it rises, and the time from which it is full.
    package let from: Instant
    package let until: Instant
    /// True if its session is open. It is full then, also if the clock was set back.
    package let isFull: Bool
    /// A clock that was set reaches both times after another uptime.
    fileprivate let clockVersion: Int

    /// Returns the perceived brightness, 0 to 1, at a time in milliseconds since 1970.
    package func level(at milliseconds: Int) -> Double {
        guard !isFull else { return 1 }
        return min(1, max(0, Double(milliseconds - from.milliseconds) / Double(1000 * until.seconds(since: from))))
    }
}

extension Engine {
    /// The light of an open session, or the planned one that begins first; nil if there is none.
    @inline(__always)  // A call from where the engine changes would copy all of it.
    var sunrise: Sunrise? {
        if let session = sessions.litIndex.map({ sessions.all[$0] }) {
            let began = Instant(milliseconds: session.firedMilliseconds)
            return Sunrise(
                alarm: session.name, from: began.advanced(by: -session.terms.lightSeconds), until: began, isFull: true,
                clockVersion: 0)
        }
        guard let first = agenda.sunrises.first, let alarm = agenda.alarms[first.occurrence.alarm]?.alarm else {
            return nil
        }
        return Sunrise(
            alarm: alarm.name, from: first.at, until: first.at.advanced(by: alarm.lightSeconds), isFull: false,
            clockVersion: clock.version)
    }

    /// The begin of the next planned light.
    @inline(__always)
    var sunriseDeadline: Deadline {
        .wall(agenda.sunrises.firstInstant.flatMap { $0 > clock.instant ? $0.milliseconds : nil })
    }

    mutating func emitSunrise() {
        let hasBegun = agenda.sunrises.firstInstant.map { $0 <= clock.instant } ?? false
        let sunrise = hasBegun || sessions.litIndex != nil ? sunrise : nil
        guard sunrise != emitted.sunrise else { return }
        emitted.sunrise = sunrise
        emitted.isStatusStale = true
        let lead = clock.uptime - clock.now
        effects.append(
            .sunrise(
                sunrise.map { light in
                    light.isFull
                        ? .full
                        : .rising(
                            fromUptime: light.from.milliseconds + lead, untilUptime: light.until.milliseconds + lead)
                }))
    }
}

extension Sessions {
    /// The first open session whose alarm has a light.
    fileprivate var litIndex: Int? { all.indices.first { all[$0].terms.lightSeconds > 0 } }
}
