// Requests about the device: its status, its health, and what it can do.

import Alarms
import JSON

package struct GetStatus: Request {
    package struct Response: Codable, Sendable {
        package let status: StatusReport

        package init(status: StatusReport) { self.status = status }
    }

    package init() {}

    package static let spec = RequestSpec("status", .get, "/status", changes: false, "Returns the present status")
}

package struct Doctor: Request {
    package struct Response: Codable, Sendable {
        package let health: [HealthReport]

        package init(health: [HealthReport]) { self.health = health }
    }

    package let loud: Bool?

    package init(loud: Bool? = nil) { self.loud = loud }

    package static let spec = RequestSpec(
        "doctor", .post, "/doctor", changes: true, "Tests every part that ringing needs, now",
        fields: ["loud": "whether the buzzer may sound"])
}

package struct TrySpeakers: Request {
    package typealias Response = SpeakersReport

    package init() {}

    package static let spec = RequestSpec(
        "trySpeakers", .post, "/speakers/try", changes: true,
        "Tests the speakers in silence, unless one is in use or something rings within a minute")
}

package struct ListSounds: Request {
    package struct Sound: Codable, Hashable, Sendable {
        package let id: String
        package let name: String
        package var seconds: Double?
        /// Why the sound cannot be played.
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
        "sounds", .get, "/sounds", changes: false, "Returns the sounds that an alarm can have")
}

package struct GetCapabilities: Request {
    package struct Response: Codable, Sendable {
        package var version = roosterVersion
        package var simulated = false
        /// The kinds of challenge that the device can ask for.
        package var challenges: [Challenge.Kind] = []
        /// The kinds that can be enrolled.
        package var enrol: [Challenge.Kind] = []
        package var symbologies: [String] = []
        package var buttons = false
        package var alarmsMax = 0
        package var calendarsMax = 0
        package var snoozeSecondsMin = 0
        package var snoozeSecondsMax = 0
        package var testRingSecondsMax = 0

        package init() {}
    }

    package static let spec = RequestSpec(
        "capabilities", .get, "/capabilities", changes: false, "Returns what this device can do, and its limits")
}

package struct SimulateBedside: Request {
    package let changes: JSON

    package init(changes: JSON) { self.changes = changes }

    package static let spec = RequestSpec(
        "simulate", .post, "/bedside", changes: true, "Changes the simulated hardware",
        fields: ["changes": "what happens to it"])
}
