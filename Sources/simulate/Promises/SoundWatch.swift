// Promise 2, in the room: a sound is heard if and only if a session rings. Promise 6: it never becomes quieter meanwhile.

import Alarms
import Engine
import SimulatedDevices

/// Follows the sounds in the room. Times are milliseconds since the machine was started.
struct SoundWatch {
    private var order: SoundOrder?
    /// Since when no sound is heard, though one is ordered.
    private var silentSinceUptime: Int?
    /// Since when a working route exists, and how long it may take until it is heard.
    private var audibility: (sinceUptime: Int, milliseconds: Int)?
    private var ringing: Set<Occurrence> = []
    /// Each session's last level, and which sessions rang then.
    private var levels: [Occurrence: (decibels: Double, ringing: Set<Occurrence>)] = [:]

    mutating func ordered(_ new: SoundOrder?, among ringing: Set<Occurrence>, at uptime: Int) {
        self.ringing = ringing
        if new == nil { silentSinceUptime = nil } else if order == nil { silentSinceUptime = uptime }
        order = new
    }

    /// The machine is off and need not be heard. When it is started again, it knows only these sessions.
    mutating func stopped(_ known: Set<Occurrence>) {
        (order, silentSinceUptime, audibility) = (nil, nil, nil)
        levels = levels.filter { known.contains($0.key) }
    }

    mutating func forget(_ occurrence: Occurrence) { levels[occurrence] = nil }

    /// The machine was asleep and could not be heard.
    mutating func woke(at uptime: Int) {
        if silentSinceUptime != nil { silentSinceUptime = uptime }
        audibility?.sinceUptime = uptime
    }

    var nextUptime: Int? {
        guard let silentSinceUptime, let audibility else { return nil }
        return max(silentSinceUptime, audibility.sinceUptime) + audibility.milliseconds + 1
    }

    /// Checks the sounds of now. It may be silent for so long at the most; nil: without limit.
    mutating func observe(
        _ heard: [AudibleSound], silenceMillisecondsMax: Int?, at uptime: Int, _ checker: InvariantChecker
    ) {
        audibility = silenceMillisecondsMax.map { (audibility?.sinceUptime ?? uptime, $0) }
        if heard.count > 1 { checker.report(.sound, "\(heard.map(\.output)) are heard at once") }
        guard let order else {
            if !heard.isEmpty { checker.report(.sound, "something is heard, and nothing rings") }
            return
        }
        // A sound that is heard now may have begun a while ago.
        if let audibility, heard.isEmpty {
            let gap = uptime - max(silentSinceUptime ?? uptime, audibility.sinceUptime)
            if gap > audibility.milliseconds { checker.report(.sound, "nothing has been heard for \(gap) ms") }
        }
        silentSinceUptime = heard.isEmpty ? silentSinceUptime ?? uptime : nil
        guard let first = heard.first, let sound = first.sound else { return }
        if sound != order.ring.sound { checker.report(.sound, "\(sound) is heard, and \(order.ring.sound) is to be") }
        // Waiting sessions make the sound louder: it may become softer when one of them has ended.
        let before = levels[order.occurrence]
        if let before, before.ringing.isSubset(of: ringing), first.decibels < before.decibels - 1e-9 {
            checker.report(.loudness, "it was \(before.decibels) dB loud, and is \(first.decibels)")
        }
        levels[order.occurrence] = (first.decibels, ringing)
    }
}
