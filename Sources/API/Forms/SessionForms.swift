// What can be asked about what rings.

import Alarms
import CivilTime
import JSON

package struct Snooze: Form {
    package typealias Answer = SessionOutcome

    package var seconds: Int?

    package init(seconds: Int? = nil) { self.seconds = seconds }

    package static let row = FormRow(
        "snooze", .post, "/session/snooze", "what rings is to be silent for a while",
        fields: [
            "seconds": "how long, within the bounds of the device; as long as the alarm says where nothing is said"
        ], if: [.meant])
}

package struct Stop: Form {
    package typealias Answer = SessionOutcome

    package init() {}

    package static let row = FormRow(
        "stop", .post, "/session/stop", "what rings is to end, or its first open challenge to begin",
        if: [.meant])
}

package struct AnswerSum: Form {
    package typealias Answer = SessionOutcome

    package var number: Int
    package var to: Int?

    package init(number: Int, to: Int? = nil) { (self.number, self.to) = (number, to) }

    package static let row = FormRow(
        "answer", .post, "/session/answer", "the answer to a sum",
        fields: ["number": "the answer", "to": "the number of the sum; the one that is asked now where none is named"])
}

package struct Unlock: Form {
    package typealias Answer = SessionOutcome

    package var alarm: String

    package init(alarm: String) { self.alarm = alarm }

    package static let row = FormRow(
        "unlock", .post, "/alarms/{alarm}/unlock",
        "a locked alarm's challenges are to be done now, so that it can be changed",
        fields: ["alarm": "the alarm's id"])
}

package struct Emergency: Form {
    package struct Answer: Codable, Sendable {
        /// For how long it is still to be held; missing once it is let go.
        package var emergencySeconds: Int?

        package init(emergencySeconds: Int?) { self.emergencySeconds = emergencySeconds }
    }

    package var hold: Bool?

    package init(hold: Bool = true) { self.hold = hold }

    package static let row = FormRow(
        "emergency", .post, "/session/emergency",
        "the way out with a price: to be said again every few seconds for a minute, which is recorded",
        fields: ["hold": "false lets go of it"], if: [.meant])
}

package struct TestRing: Form {
    package var ring: JSON?
    package var `in`: Int?

    package init(ring: JSON? = nil, in seconds: Int? = nil) { (self.ring, self.in) = (ring, seconds) }

    package static let row = FormRow(
        "testRing", .post, "/test-ring", "to hear how the device rings: it gives way to an alarm",
        fields: [
            "ring": "how, as an alarm's ring is written",
            "in": "in how many seconds: 8 where nothing is said, 60 at the most",
        ])
}
