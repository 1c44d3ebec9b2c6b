// Promise 2, in the room: a sound is heard if and only if a session rings. Promise 6: it never becomes quieter meanwhile.

import Devices
import Engine
import SimulatedDevices

/// Listens. Times are milliseconds since the machine was started.
struct SoundWatch {
    private var order: SoundOrder?
    private var heardUptime = 0
    private var decibels = -Double.infinity

    /// From one route to the next, and from nothing to the buzzer.
    private static let gapMilliseconds = 500

    mutating func ordered(_ new: SoundOrder?, at uptime: Int) {
        if new?.occurrence != order?.occurrence || order == nil { decibels = -.infinity }
        if order == nil { heardUptime = uptime }
        order = new
    }

    /// Nothing is asked of a machine that is off, or asleep.
    mutating func stopped() { order = nil }
    mutating func woke(at uptime: Int) { heardUptime = uptime }

    /// What is wrong with what is heard now.
    mutating func listen(_ heard: [Heard], at uptime: Int) -> (promise: Int, words: String)? {
        if heard.count > 1 { return (2, "\(heard.map(\.voice)) are heard at once") }
        guard order != nil else { return heard.isEmpty ? nil : (2, "something is heard, and nothing rings") }
        guard let first = heard.first else {
            let gap = uptime - heardUptime
            return gap > SoundWatch.gapMilliseconds ? (2, "nothing has been heard for \(gap) ms") : nil
        }
        heardUptime = uptime
        if case .route = first.voice {
            defer { decibels = first.decibels }
            if first.decibels < decibels { return (6, "it was \(decibels) dB loud, and is \(first.decibels)") }
        }
        return nil
    }
}
