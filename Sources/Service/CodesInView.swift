// Which codes are before the camera: each is told of once when it comes into view, and not with each frame.

import Devices

/// The codes that are in view while one is looked for.
struct CodesInView: Hashable, Sendable {
    private struct Sighting: Hashable, Sendable {
        var lastUptime: Int
        /// Whether it is not the one that is asked for.
        var isWrong = false
    }

    /// By what they say.
    private var sightings: [[UInt8]: Sighting] = [:]
    /// How often a code came into view that is not the one that is asked for.
    private(set) var wrongCount = 0

    /// A code that a few blurred frames have lost is in view still.
    private static let goneMilliseconds = 2000
    /// Nobody holds up more; whatever a reader may make up beyond that is nobody's business.
    private static let sightingsMax = 32

    /// A frame was taken. Answers with the codes that have come into view.
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

    /// None of these is the one that is asked for. One that stays in view counts once, however often that is said of it.
    mutating func refuse(_ codes: [ReadCode]) {
        let new = codes.filter { sightings[$0.payload]?.isWrong == false }
        for code in new { sightings[code.payload]?.isWrong = true }
        if !new.isEmpty { wrongCount += 1 }
    }

    /// Whether one of these is known not to be the one that is asked for.
    func isWrong(_ codes: [ReadCode]) -> Bool { codes.contains { sightings[$0.payload]?.isWrong == true } }
}
