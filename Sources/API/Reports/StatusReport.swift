// The report of the service's status in responses and events.

import Alarms
import CivilTime
import Devices
import Engine
import Sound
import Text

package struct StatusReport: Codable, Hashable, Sendable {
    package var now: Timestamp
    package var local: LocalTime
    package let zone: String
    /// True if the time is trusted. `clock` names the source of that trust.
    package let trusted: Bool
    package let clock: String
    /// The master switch of all alarms.
    package let enabled: Bool
    /// The form in which the owner wants to read times of day.
    package let hours: HourFormat?
    /// The open sessions: the audible one, those that wait behind it, and those that pause.
    package let sessions: [SessionReport]
    package let unlocking: UnlockingReport?
    /// The alarms whose challenges were done ahead of time. They can be changed until they ring.
    package let unlocked: [AlarmLabel]
    package let scan: ScanReport?
    /// The camera's view while a code is scanned.
    package let camera: CameraViewReport?
    package let next: [RingReport]
    /// The next rings of alarms of which a notice was given, at most ten.
    package let noticed: [RingReport]
    /// The rings of chores that were missed or unanswered, and are not done, the oldest first.
    package let open: [PastRingReport]
    /// The light of an open session, or the planned one that begins first; missing if no alarm has one.
    package let sunrise: SunriseReport?
    /// Bedtime and night; missing if there is neither a bedtime nor an owner in bed.
    package let bedtime: BedtimeReport?
    /// The missed and unanswered rings and the emergency endings of the last day, latest first.
    package let recentProblems: [PastRingReport]
    package let health: [HealthReport]
    package let speaker: SpeakersReport
    package let warnings: [String]
    /// True if the hardware is simulated.
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
        hours = device.hours
        sessions = status.sessions.map { $0.report(status, in: engine) }
        unlocking = status.unlocking.map { UnlockingReport($0) }
        unlocked = status.unlocked.map { AlarmLabel($0) }
        scan = status.scan.map { ScanReport($0) }
        self.camera = camera
        next = status.next.map { engine.report($0) }
        noticed = status.noticed.map { engine.report($0) }
        open = status.open.map { engine.report($0) }
        sunrise = status.sunrise.map { SunriseReport($0, now: status.nowMilliseconds, in: engine) }
        bedtime = BedtimeReport(status, in: engine)
        recentProblems = status.lately.map { engine.report($0) }
        health = status.health.map { HealthReport($0.part, $0.health, at: $0.tested) }
        self.speaker = speaker
        self.warnings = warnings
        simulated = isSimulated
    }

    package var device: DeviceReport {
        DeviceReport(now: now, local: local, zone: zone, enabled: enabled, hours: hours)
    }
}

/// The audible speaker, and all routes, best first.
package struct SpeakersReport: Codable, Hashable, Sendable {
    /// A sound card, or another way to a speaker.
    package struct Route: Codable, Hashable, Sendable {
        /// The health of a route. `busy` means that another program uses it.
        package enum State: String, Choice, Sendable { case unknown, trying, good, failed, busy }

        package let id: String
        package let kind: String
        package let name: String
        /// The name that the configuration file uses.
        package let configured: String
        package let health: State
        package let reason: String?

        fileprivate init(_ status: RouteStatus) {
            let route = status.route
            (id, kind, name, configured) = (route.id, route.kind.rawValue, route.name, route.configuredName)
            (health, reason) =
                switch status.health {
                case .unknown: (.unknown, nil)
                case .trying: (.trying, nil)
                case .good: (.good, nil)
                case .failed(let failure): (failure.isBusy ? .busy : .failed, failure.cause)
                }
        }
    }

    /// The id of the audible route, or "buzzer".
    package let output: String?
    /// The level of the sound, in decibels relative to the loudest possible.
    package let decibels: Double?
    package let routes: [Route]

    package init(_ status: SpeakerStatus) {
        output = status.activeOutput.map { "\($0)" }
        decibels = status.decibels.map { ($0 * 10).rounded() / 10 }
        routes = status.routes.map(Route.init)
    }
}
