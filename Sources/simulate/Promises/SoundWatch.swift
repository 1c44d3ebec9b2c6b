// Promise 2, in the room: a sound is heard if and only if a session rings. Promise 6: it never becomes quieter meanwhile.

import Alarms
import Engine
import SimulatedDevices

/// Listens. Times are milliseconds since the machine was started.
struct SoundWatch {
    private var order: SoundOrder?
    /// Since when nothing is heard, though something is to be.
    private var silentSinceUptime: Int?
    /// Since when something can be heard, and how long that may take.
    private var audibility: (sinceUptime: Int, milliseconds: Int)?
    /// What rings, one of it heard.
    private var ringing: Set<Occurrence> = []
    /// How loud each session was when it was heard last, and what rang then.
    private var levels: [Occurrence: (decibels: Double, ringing: Set<Occurrence>)] = [:]

    mutating func ordered(_ new: SoundOrder?, among ringing: Set<Occurrence>, at uptime: Int) {
        self.ringing = ringing
        if new == nil { silentSinceUptime = nil } else if order == nil { silentSinceUptime = uptime }
        order = new
    }

    /// Nothing is asked of a machine that is off: and when it is started again, it knows of these sessions and no others.
    mutating func stopped(_ known: Set<Occurrence>) {
        (order, silentSinceUptime, audibility) = (nil, nil, nil)
        levels = levels.filter { known.contains($0.key) }
    }

    /// A session begins anew.
    mutating func forget(_ occurrence: Occurrence) { levels[occurrence] = nil }

    /// Nor of one that is asleep.
    mutating func woke(at uptime: Int) {
        if silentSinceUptime != nil { silentSinceUptime = uptime }
        audibility?.sinceUptime = uptime
    }

    /// When to listen if nothing happens: as soon as it has been silent for too long.
    var nextUptime: Int? {
        guard let silentSinceUptime, let audibility else { return nil }
        return max(silentSinceUptime, audibility.sinceUptime) + audibility.milliseconds + 1
    }

    /// Judges what is heard now, where it may be silent for so long at the most, or for ever.
    mutating func observe(_ heard: [AudibleSound], patienceMilliseconds: Int?, at uptime: Int, _ watcher: Watcher) {
        audibility = patienceMilliseconds.map { (audibility?.sinceUptime ?? uptime, $0) }
        if heard.count > 1 { watcher.report(.sound, "\(heard.map(\.voice)) are heard at once") }
        guard let order else {
            if !heard.isEmpty { watcher.report(.sound, "something is heard, and nothing rings") }
            return
        }
        // What is heard now may have been for a while: nobody listens to each millisecond.
        if let audibility, heard.isEmpty {
            let gap = uptime - max(silentSinceUptime ?? uptime, audibility.sinceUptime)
            if gap > audibility.milliseconds { watcher.report(.sound, "nothing has been heard for \(gap) ms") }
        }
        silentSinceUptime = heard.isEmpty ? silentSinceUptime ?? uptime : nil
        guard let first = heard.first, let sound = first.sound else { return }
        if sound != order.ring.sound { watcher.report(.sound, "\(sound) is heard, and \(order.ring.sound) is to be") }
        // Those that wait make the one that is heard louder: it may be softer than before when one of them has ended.
        let before = levels[order.occurrence]
        if let before, before.ringing.isSubset(of: ringing), first.decibels < before.decibels - 1e-9 {
            watcher.report(.loudness, "it was \(before.decibels) dB loud, and is \(first.decibels)")
        }
        levels[order.occurrence] = (first.decibels, ringing)
    }
}
