// The status of a Rooster as responses report it.

import Alarms
import CivilTime
import Engine
import JSON

package struct StatusReport: Codable, Hashable, Sendable {
    package var now: Timestamp
    package var local: LocalTime
    package let zone: String
    /// Whether the time is known to be right, and by what.
    package let trusted: Bool
    package let clock: String
    /// The master switch.
    package let enabled: Bool
    /// The sessions that have not ended: the audible one, those that wait behind it, the silent ones.
    package let sessions: [SessionReport]
    package let unlocking: UnlockingReport?
    package let scan: ScanReport?
    /// The camera's view while a code is scanned.
    package let camera: CameraViewReport?
    package let next: [RingReport]
    /// The missed and unanswered rings and the emergency endings of the last day, the latest first.
    package let recentProblems: [PastRingReport]
    package let health: [HealthReport]
    package let speaker: SpeakersReport
    package let warnings: [String]
    /// Whether its devices are simulated.
    package let simulated: Bool

    package init(
        _ status: Status, in engine: Engine, clock: String, camera: CameraViewReport?, speaker: SpeakersReport,
        warnings: [String], isSimulated: Bool
    ) {
        let device = engine.report(status)
        now = device.now
        local = device.local
        zone = device.zone
        trusted = status.isClockTrusted
        self.clock = clock
        enabled = device.enabled
        sessions = status.sessions.map { $0.report(status, in: engine) }
        unlocking = status.unlocking.map { UnlockingReport($0) }
        scan = status.scan.map { ScanReport($0) }
        self.camera = camera
        next = status.next.map { engine.report($0) }
        recentProblems = status.lately.map { engine.report($0) }
        health = status.health.map { HealthReport($0.part, $0.health) }
        self.speaker = speaker
        self.warnings = warnings
        simulated = isSimulated
    }

    package var device: DeviceReport { DeviceReport(now: now, local: local, zone: zone, enabled: enabled) }
}

package struct CameraViewReport: Codable, Hashable, Sendable {
    package struct Frame: Codable, Hashable, Sendable {
        package let light: Int
        package let dark: Bool
        package let sharpness: Int
        package let codes: [Code]

        package init(light: Int, dark: Bool, sharpness: Int, codes: [Code]) {
            (self.light, self.dark, self.sharpness, self.codes) = (light, dark, sharpness, codes)
        }
    }

    package struct Code: Codable, Hashable, Sendable {
        package let symbology: String
        /// Its share of the picture's width.
        package let sizePercent: Int

        package init(symbology: String, sizePercent: Int) {
            (self.symbology, self.sizePercent) = (symbology, sizePercent)
        }
    }

    package let camera: String?
    package let problem: String?
    package let warning: String?
    package let frame: Frame?
    package let wrongCodes: Int
    package let wrongInView: Bool
    /// Whether the code has been in view from the beginning: it must be taken away and shown again.
    package let removeAndShowAgain: Bool
    /// A small JPEG in base64, for an owner who aims the camera.
    package let picture: String?

    package init(
        camera: String?, problem: String?, warning: String?, frame: Frame?, wrongCodes: Int, wrongInView: Bool,
        removeAndShowAgain: Bool, picture: String?
    ) {
        self.camera = camera
        self.problem = problem
        self.warning = warning
        self.frame = frame
        self.wrongCodes = wrongCodes
        self.wrongInView = wrongInView
        self.removeAndShowAgain = removeAndShowAgain
        self.picture = picture
    }
}

/// The speaker that is heard, and all routes, the best first.
package struct SpeakersReport: Codable, Hashable, Sendable {
    /// A sound card or another way to a speaker.
    package struct Route: Codable, Hashable, Sendable {
        /// Its health; busy if another program uses it.
        package enum State: String, Choice, Sendable { case unknown, trying, good, failed, busy }

        package let id: String
        package let kind: String
        package let name: String
        /// Its name in the configuration.
        package let configured: String
        package let health: State
        package let reason: String?

        package init(id: String, kind: String, name: String, configured: String, health: State, reason: String?) {
            (self.id, self.kind, self.name, self.configured, self.health) = (id, kind, name, configured, health)
            self.reason = reason
        }
    }

    /// The id of the route that is heard, or "buzzer".
    package let output: String?
    /// Its level below the loudest possible.
    package let decibels: Double?
    package let routes: [Route]

    package init(output: String?, decibels: Double?, routes: [Route]) {
        (self.output, self.decibels, self.routes) = (output, decibels, routes)
    }
}
