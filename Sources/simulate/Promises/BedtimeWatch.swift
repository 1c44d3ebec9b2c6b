// Promise 9: a bedtime is given once, at its time or late, and while nothing rings. Its chime ends by itself.

import Alarms
import CivilTime
import Engine

/// The checker's record of bedtimes. Times are milliseconds.
struct BedtimeWatch {
    /// The bedtimes that were given, and the number of times that a clock had been set by then.
    private var given: [Instant: Int] = [:]
    /// The night's time since which a chime sounds; nil if none does.
    private var chimingSince: Int?

    private static let lateMillisecondsMax = 3_600_000
    private static let chimeMillisecondsMax = 9000

    /// A start finds the bedtimes whose records are durable. The others may be given again.
    mutating func restarted(_ entries: [Entry]) {
        let durable = Set(entries.compactMap { if case .bedtimeGiven(let at) = $0.fact { at } else { nil } })
        given = given.filter { durable.contains($0.key) }
        chimingSince = nil
    }

    mutating func prompted(_ at: Instant, _ night: Simulation, now: Int, _ checker: InvariantChecker) {
        if !night.published.status.sessions.isEmpty { checker.report(.notices, "a bedtime was given in a ring") }
        if !(-1000...BedtimeWatch.lateMillisecondsMax + 1000 ~= now - at.milliseconds) {
            checker.report(.notices, "the bedtime \(at) was given at \(now)")
        }
        if given[at] == night.clockSetCount { checker.report(.notices, "the bedtime \(at) was given again") }
        given[at] = night.clockSetCount
    }

    /// Checks the sound that is ordered after an input.
    mutating func check(_ sound: SoundOrder?, _ status: Status, _ night: Simulation, _ checker: InvariantChecker) {
        guard status.sessions.isEmpty, sound?.occurrence.alarm.isEmpty == true else { return chimingSince = nil }
        let since = chimingSince ?? night.now
        chimingSince = since
        if night.now - since > BedtimeWatch.chimeMillisecondsMax { checker.report(.sound, "a chime does not end") }
    }
}
