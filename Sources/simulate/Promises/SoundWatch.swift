// Promises 2 and 6: a sound is heard if and only if a session rings, and it never becomes quieter.

import Alarms
import Engine
import SimulatedDevices

/// The checker's record of audible sounds. Times are milliseconds since the machine started.
struct SoundWatch {
    private var order: SoundOrder?
    /// The time since which an ordered sound has not been heard.
    private var silentSinceUptime: Int?
    /// The time since which a working route has existed, and the longest delay until it is heard.
    private var audibility: (sinceUptime: Int, milliseconds: Int)?
    private var ringing: Set<Occurrence> = []
    /// The last level of each session, and the sessions that rang then.
    private var levels: [Occurrence: (decibels: Double, ringing: Set<Occurrence>)] = [:]

    mutating func ordered(_ new: SoundOrder?, among ringing: Set<Occurrence>, at uptime: Int) {
        self.ringing = ringing
        if new == nil { silentSinceUptime = nil } else if order == nil { silentSinceUptime = uptime }
        order = new
    }

    /// Ends the observation: the machine is off. At its next start it has only the `known` sessions.
    mutating func stopped(_ known: Set<Occurrence>) {
        (order, silentSinceUptime, audibility) = (nil, nil, nil)
        levels = levels.filter { known.contains($0.key) }
    }

    mutating func forget(_ occurrence: Occurrence) { levels[occurrence] = nil }

    /// Restarts the measurement of the silence: a sleeping machine cannot be heard.
    mutating func woke(at uptime: Int) {
        if silentSinceUptime != nil { silentSinceUptime = uptime }
        audibility?.sinceUptime = uptime
    }

    var nextUptime: Int? {
        guard let silentSinceUptime, let audibility else { return nil }
        return max(silentSinceUptime, audibility.sinceUptime) + audibility.milliseconds + 1
    }

    /// Checks the present sounds. The silence may last `silenceMillisecondsMax`, or without limit if that is
    /// nil.
    mutating func observe(
        _ heard: [AudibleSound], silenceMillisecondsMax: Int?, at uptime: Int, _ checker: InvariantChecker
    ) {
        audibility = silenceMillisecondsMax.map { (audibility?.sinceUptime ?? uptime, $0) }
        if heard.count > 1 { checker.report(.sound, "\(heard.map(\.output)) are heard at once") }
        guard let order else {
            if !heard.isEmpty { checker.report(.sound, "a sound is heard without a session") }
            return
        }
        // A sound that is heard now may have begun a while ago, so only a silence is measured.
        if let audibility, heard.isEmpty {
            let gap = uptime - max(silentSinceUptime ?? uptime, audibility.sinceUptime)
            if gap > audibility.milliseconds { checker.report(.sound, "no sound has been heard for \(gap) ms") }
        }
        silentSinceUptime = heard.isEmpty ? silentSinceUptime ?? uptime : nil
        guard let first = heard.first, let sound = first.sound else { return }
        if sound != order.ring.sound { checker.report(.sound, "\(sound) is heard instead of \(order.ring.sound)") }
        // A wake-up check asks softly.
        if ringing.isEmpty { return }
        // Waiting sessions make the sound louder. It may become softer when one of them has ended.
        let before = levels[order.occurrence]
        if let before, before.ringing.isSubset(of: ringing), first.decibels < before.decibels - 1e-9 {
            checker.report(.loudness, "the level fell from \(before.decibels) to \(first.decibels) dB")
        }
        levels[order.occurrence] = (first.decibels, ringing)
    }
}
