// The codes in view: each is logged once when it comes into view, and not with each frame.

import Devices

/// The codes in view during a search.
struct CodesInView: Hashable, Sendable {
    private struct Sighting: Hashable, Sendable {
        var lastUptime: Int
        /// Whether it is a wrong code.
        var isWrong = false
    }

    /// By payload.
    private var sightings: [[UInt8]: Sighting] = [:]
    /// How often a wrong code came into view.
    private(set) var wrongCount = 0

    /// A code stays in view through a few blurred frames without it.
    private static let goneMilliseconds = 2000
    /// The bound on codes in view, against a decoder that invents them.
    private static let sightingsMax = 32

    /// Updates the codes with a frame. Returns those that have come into view.
    mutating func update(_ frame: CameraFrame) -> [ReadCode] {
        let uptime = frame.takenUptime
        sightings = sightings.filter { uptime - $0.value.lastUptime < CodesInView.goneMilliseconds }
        var new: [ReadCode] = []
        for code in frame.codes {
            if sightings[code.payload] == nil {
                guard sightings.count < CodesInView.sightingsMax else { continue }
                new.append(code)
            }
            sightings[code.payload, default: Sighting(lastUptime: uptime)].lastUptime = uptime
        }
        return new
    }

    /// Marks these codes as wrong. A code that stays in view counts once.
    mutating func refuse(_ codes: [ReadCode]) {
        let new = codes.filter { sightings[$0.payload]?.isWrong == false }
        for code in new { sightings[code.payload]?.isWrong = true }
        if !new.isEmpty { wrongCount += 1 }
    }

    /// Whether one of these was marked as wrong.
    func isWrong(_ codes: [ReadCode]) -> Bool { codes.contains { sightings[$0.payload]?.isWrong == true } }
}
