// The requests about the ring in progress.

import Alarms
import CivilTime
import JSON

package struct Snooze: Request {
    package typealias Response = SessionOutcome

    package let seconds: Int?

    package init(seconds: Int? = nil) { self.seconds = seconds }

    package static let spec = RequestSpec(
        "snooze", .post, "/session/snooze", changes: true, may: .use, "Snoozes the alarm that rings",
        fields: ["seconds": "the length, within the limits of the device; default: the length that the alarm has"],
        if: [.ifRing])
}

package struct Stop: Request {
    package typealias Response = SessionOutcome

    package init() {}

    package static let spec = RequestSpec(
        "stop", .post, "/session/stop", changes: true, may: .use,
        "Stops the alarm that rings, or begins its first open challenge",
        if: [.ifRing])
}

package struct Awake: Request {
    package typealias Response = SessionOutcome

    package init() {}

    package static let spec = RequestSpec(
        "awake", .post, "/session/awake", changes: true, may: .use,
        "Answers the wake-up check: its owner is awake. Refused until the check asks", if: [.ifRing])
}

package struct AnswerSum: Request {
    package typealias Response = SessionOutcome

    package let number: Int
    package let to: Int?

    package init(number: Int, to: Int? = nil) { (self.number, self.to) = (number, to) }

    package static let spec = RequestSpec(
        "answer", .post, "/session/answer", changes: true, may: .use, "Answers a sum",
        fields: ["number": "the answer", "to": "the number of the sum; default: the present one"])
}

package struct Unlock: Request {
    package typealias Response = SessionOutcome

    package let alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let spec = RequestSpec(
        "unlock", .post, "/alarms/{alarm}/unlock", changes: true, may: .use,
        "Begins the challenges of a locked alarm now. After them the alarm can be changed",
        fields: ["alarm": "the alarm's id"])
}

package struct Emergency: Request {
    package struct Response: Codable, Sendable {
        /// The seconds for which the emergency exit must still be held; missing once it is released.
        package let emergencySeconds: Int?

        package init(emergencySeconds: Int?) { self.emergencySeconds = emergencySeconds }
    }

    package let hold: Bool?

    package init(hold: Bool = true) { self.hold = hold }

    package static let spec = RequestSpec(
        "emergency", .post, "/session/emergency", changes: true, may: .use,
        "Holds the emergency exit. Send it every few seconds for a minute. The service records it",
        fields: ["hold": "false releases it; default: true"], if: [.ifRing])
}

package struct TestRing: Request {
    package let ring: Patch<RingSettings>?
    package let delaySeconds: Int?

    package init(ring: Patch<RingSettings>? = nil, delaySeconds: Int? = nil) {
        (self.ring, self.delaySeconds) = (ring, delaySeconds)
    }

    package static let spec = RequestSpec(
        "testRing", .post, "/test-ring", changes: true, may: .use,
        "Rings once as an alarm would. A due alarm replaces it",
        fields: [
            "ring": "the settings, as the `ring` of an alarm",
            "delaySeconds": "the delay in seconds, at most 60; default: 8",
        ])
}
