// The requests about the device: its status, its health and its capabilities.

import Alarms
import Text

package struct GetStatus: Request {
    package struct Response: Codable, Sendable {
        package let status: StatusReport

        package init(status: StatusReport) { self.status = status }
    }

    package init() {}

    package static let spec = RequestSpec(
        "status", .get, "/status", changes: false, may: .look, "Returns the present status")
}

package struct Doctor: Request {
    package struct Response: Codable, Sendable {
        package let health: [HealthReport]
        /// True if a buzzer was sounded; missing if `loud` did not ask for it.
        package let buzzer: Bool?

        package init(health: [HealthReport], buzzer: Bool? = nil) { (self.health, self.buzzer) = (health, buzzer) }
    }

    package let loud: Bool?

    package init(loud: Bool? = nil) { self.loud = loud }

    package static let spec = RequestSpec(
        "doctor", .post, "/doctor", changes: true, may: .use, "Tests every part that ringing needs, now",
        fields: ["loud": "true lets the buzzer sound; default: false"])
}

package struct TrySpeakers: Request {
    package typealias Response = SpeakersReport

    package init() {}

    package static let spec = RequestSpec(
        "trySpeakers", .post, "/speakers/try", changes: true, may: .use,
        "Tests the speakers silently, unless one is in use or an alarm rings within a minute")
}

package struct ListSounds: Request {
    package struct Sound: Codable, Hashable, Sendable {
        package let id: String
        package let name: String
        package var seconds: Double?
        /// The reason why the sound cannot be played.
        package let problem: String?

        package init(id: String, name: String, seconds: Double?, problem: String?) {
            (self.id, self.name, self.seconds, self.problem) = (id, name, seconds, problem)
        }
    }

    package struct Response: Codable, Sendable {
        package let sounds: [Sound]

        package init(sounds: [Sound]) { self.sounds = sounds }
    }

    package init() {}

    package static let spec = RequestSpec(
        "sounds", .get, "/sounds", changes: false, may: .look, "Returns the sounds for alarms")
}

package struct GetCapabilities: Request {
    package struct Response: Codable, Sendable {
        package var version = roosterVersion
        package var simulated = false
        /// The kinds of challenge that the device's hardware supports.
        package var challenges: [Challenge.Kind] = []
        /// The kinds of code that the owner can enrol.
        package var enrol: [CodeKind] = []
        package var symbologies: [String] = []
        package var buttons = false
        /// True if it has a bed shaker.
        package var shaker = false
        /// True if it has a lamp for the sunrise.
        package var sunrise = false
        package var alarmsMax = 0
        package var calendarsMax = 0
        package var snoozeSecondsMin = 0
        package var snoozeSecondsMax = 0
        package var testRingSecondsMax = 0
        package var limits = LimitsReport()

        package init() {}
    }

    package static let spec = RequestSpec(
        "capabilities", .get, "/capabilities", changes: false, may: .look,
        "Returns the abilities of the device, and its limits")
}
