// The reports of the camera, and the codes in its view.

import Devices
import Engine
import Health

/// The camera's latest reports since it was switched on.
package struct CameraView: Hashable, Sendable {
    /// The camera's name; nil until it is open.
    package internal(set) var name: String?
    package internal(set) var frame: CameraFrame?
    package internal(set) var preview: [UInt8]?
    /// The reason why the camera delivers no frames; nil if it delivers them, or is being opened.
    package internal(set) var failure: CameraFailure?
    package internal(set) var warning: String?
    /// The codes that have come into view since the search began.
    var inView = CodesInView()

    init() {}

    mutating func show(_ new: CameraFrame) {
        frame = new
        failure = nil
    }

    mutating func fail(_ why: CameraFailure) {
        failure = why
        frame = nil
        preview = nil
    }

    package var wrongCount: Int { inView.wrongCount }

    package var isWrongInView: Bool { inView.isWrong(frame?.codes ?? []) }

    /// The camera's health; nil if unknown.
    var health: Health? {
        if let failure { return Health(.cameraBroken(reason: "\(failure)")) }
        guard frame != nil else { return nil }
        return warning.map { Health(.camera($0)) } ?? .ok
    }
}

struct CodesInView: Hashable, Sendable {
    private struct TrackedCode: Hashable, Sendable {
        var lastUptime: Int
        var isWrong = false
    }

    /// The codes in view, by payload.
    private var tracked: [[UInt8]: TrackedCode] = [:]
    /// The number of times that a wrong code came into view.
    private(set) var wrongCount = 0

    /// The time after which a code is out of view. A few blurred frames take less time.
    private static let goneMilliseconds = 2000
    /// The limit of codes in view, in case a decoder invents codes.
    private static let codesMax = 32

    /// Updates the codes with a frame. Returns the codes that have just come into view.
    mutating func update(_ frame: CameraFrame) -> [ReadCode] {
        let uptime = frame.takenUptime
        tracked = tracked.filter { uptime - $0.value.lastUptime < CodesInView.goneMilliseconds }
        var new: [ReadCode] = []
        for code in frame.codes {
            if tracked[code.payload] == nil {
                guard tracked.count < CodesInView.codesMax else { continue }
                new.append(code)
            }
            tracked[code.payload, default: TrackedCode(lastUptime: uptime)].lastUptime = uptime
        }
        return new
    }

    /// Marks these codes as wrong. A code that stays in view counts once.
    mutating func refuse(_ codes: [ReadCode]) {
        let new = codes.filter { tracked[$0.payload]?.isWrong == false }
        for code in new { tracked[code.payload]?.isWrong = true }
        if !new.isEmpty { wrongCount += 1 }
    }

    func isWrong(_ codes: [ReadCode]) -> Bool { codes.contains { tracked[$0.payload]?.isWrong == true } }
}
