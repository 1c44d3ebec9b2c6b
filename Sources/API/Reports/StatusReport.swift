// How a Rooster is: what everybody is shown.

import Alarms
import CivilTime

package struct StatusReport: Codable, Hashable, Sendable {
    package var now: Timestamp
    package var local: LocalTime
    package var zone: String
    /// Whether the time is known to be right, and by what.
    package var trusted: Bool
    package var clock: String
    /// The master switch.
    package var enabled: Bool
    /// The sessions that have not ended: what is heard, what waits behind it, what is silent.
    package var sessions: [SessionReport]
    package var unlocking: UnlockingReport?
    package var looking: LookingReport?
    /// What the camera sees while a code is looked for.
    package var camera: CameraViewReport?
    package var next: [RingReport]
    /// What has not gone well in the last day, the latest first.
    package var lately: [PastRingReport]
    package var health: [HealthReport]
    package var speaker: SpeakersReport
    package var warnings: [String]
    /// Whether it has no real devices.
    package var simulated: Bool

    package init(
        now: Timestamp, local: LocalTime, zone: String, trusted: Bool, clock: String, enabled: Bool,
        sessions: [SessionReport], unlocking: UnlockingReport?, looking: LookingReport?, camera: CameraViewReport?,
        next: [RingReport], lately: [PastRingReport], health: [HealthReport], speaker: SpeakersReport,
        warnings: [String], simulated: Bool
    ) {
        (self.now, self.local, self.zone, self.trusted, self.clock) = (now, local, zone, trusted, clock)
        (self.enabled, self.sessions, self.unlocking, self.looking) = (enabled, sessions, unlocking, looking)
        (self.camera, self.next, self.lately, self.health) = (camera, next, lately, health)
        (self.speaker, self.warnings, self.simulated) = (speaker, warnings, simulated)
    }

    package var house: HouseReport { HouseReport(now: now, local: local, zone: zone, enabled: enabled) }
}

package struct SessionReport: Codable, Hashable, Sendable {
    /// How it is; waiting is one that rings behind another.
    package enum State: String, Choice, Sendable { case ringing, waiting, snoozed, resting }

    package struct Task: Codable, Hashable, Sendable {
        /// Missing for one that this Rooster does not know.
        package var kind: String?
        package var done: Bool

        package init(kind: String?, done: Bool) { (self.kind, self.done) = (kind, done) }
    }

    package var at: Timestamp
    package var local: LocalTime
    package var alarm: String
    package var label: String
    package var state: State
    /// Until when it is silent.
    package var until: Timestamp?
    package var untilLocal: LocalTime?
    package var secondsLeft: Int?
    package var snoozes: Int
    /// Missing without a limit.
    package var snoozesMax: Int?
    package var lateSeconds: Int
    package var test: Bool
    package var challenges: [Task]
    package var asked: AskedReport?
    /// For how long its emergency way out is to be held still.
    package var emergencySeconds: Int?

    package init(
        at: Timestamp, local: LocalTime, alarm: String, label: String, state: State, until: Timestamp?,
        untilLocal: LocalTime?, secondsLeft: Int?, snoozes: Int, snoozesMax: Int?, lateSeconds: Int, test: Bool,
        challenges: [Task], asked: AskedReport?, emergencySeconds: Int?
    ) {
        (self.at, self.local, self.alarm, self.label, self.state) = (at, local, alarm, label, state)
        (self.until, self.untilLocal, self.secondsLeft) = (until, untilLocal, secondsLeft)
        (self.snoozes, self.snoozesMax, self.lateSeconds, self.test) = (snoozes, snoozesMax, lateSeconds, test)
        (self.challenges, self.asked, self.emergencySeconds) = (challenges, asked, emergencySeconds)
    }
}

/// The challenges of a locked alarm, being done ahead.
package struct UnlockingReport: Codable, Hashable, Sendable {
    package var alarm: String
    package var label: String
    package var asked: AskedReport

    package init(alarm: String, label: String, asked: AskedReport) {
        (self.alarm, self.label, self.asked) = (alarm, label, asked)
    }
}

/// A code being held before the camera, or a tag to the reader, while nothing rings.
package struct LookingReport: Codable, Hashable, Sendable {
    package enum Purpose: String, Choice, Sendable { case enrol, test }

    package var `for`: Purpose
    package var label: String?
    /// A code, or a tag.
    package var kind: Challenge.Kind?

    package init(for purpose: Purpose, label: String? = nil, kind: Challenge.Kind? = nil) {
        (self.for, self.label, self.kind) = (purpose, label, kind)
    }
}

package struct CameraViewReport: Codable, Hashable, Sendable {
    package struct Frame: Codable, Hashable, Sendable {
        package var light: Int
        package var dark: Bool
        package var sharpness: Int
        package var codes: [Code]

        package init(light: Int, dark: Bool, sharpness: Int, codes: [Code]) {
            (self.light, self.dark, self.sharpness, self.codes) = (light, dark, sharpness, codes)
        }
    }

    package struct Code: Codable, Hashable, Sendable {
        package var symbology: String
        /// How much of the picture's width it takes.
        package var sizePercent: Int

        package init(symbology: String, sizePercent: Int) {
            (self.symbology, self.sizePercent) = (symbology, sizePercent)
        }
    }

    package var camera: String?
    package var problem: String?
    package var warning: String?
    package var frame: Frame?
    package var wrongCodes: Int
    package var wrongInView: Bool
    /// Whether the code has been in view from the beginning: it is to be taken away and shown again.
    package var standing: Bool
    /// A small JPEG in base64, for who aims it.
    package var picture: String?

    package init(
        camera: String?, problem: String?, warning: String?, frame: Frame?, wrongCodes: Int, wrongInView: Bool,
        standing: Bool, picture: String?
    ) {
        (self.camera, self.problem, self.warning, self.frame) = (camera, problem, warning, frame)
        (self.wrongCodes, self.wrongInView) = (wrongCodes, wrongInView)
        (self.standing, self.picture) = (standing, picture)
    }
}

/// What rings, and all that could, the best first.
package struct SpeakersReport: Codable, Hashable, Sendable {
    /// A way for sound to get into the room.
    package struct Route: Codable, Hashable, Sendable {
        /// What is known of it; busy where another program has it.
        package enum State: String, Choice, Sendable { case unknown, trying, good, failed, busy }

        package var id: String
        package var kind: String
        package var name: String
        /// What a configuration calls it.
        package var configured: String
        package var health: State
        package var reason: String?

        package init(id: String, kind: String, name: String, configured: String, health: State, reason: String?) {
            (self.id, self.kind, self.name, self.configured) = (id, kind, name, configured)
            (self.health, self.reason) = (health, reason)
        }
    }

    /// The id of the route that is heard, or "buzzer".
    package var voice: String?
    /// How far that is below the loudest that there is.
    package var decibels: Double?
    package var routes: [Route]

    package init(voice: String?, decibels: Double?, routes: [Route]) {
        (self.voice, self.decibels, self.routes) = (voice, decibels, routes)
    }
}
