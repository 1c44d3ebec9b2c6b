// The health of the parts that ringing needs, with its causes.

import Alarms
import CivilTime
import Text

/// A part that ringing needs, in the order of lists.
package enum Part: String, Choice, Hashable, Sendable {
    case speaker, camera, codes, buttons, keypad, steps, tags, lamps, shaker, disk, clock
    /// Alarms: whether any will ring. Rooster: warnings of the service at its start. Neither is a device.
    /// Both are only reported, and never in a fact.
    case alarms, rooster
}

/// The health of a part: a list of causes.
package struct Health: Hashable, Sendable {
    package enum Grade: String, Choice, Hashable, Sendable {
        case ok, warning, broken
    }

    /// The causes; empty if the part is in order.
    package var causes: [Cause]

    package init(_ causes: Cause...) { self.causes = causes }
    package init(_ causes: [Cause]) { self.causes = causes }

    package static let ok = Health()

    /// The grade of the worst cause.
    package var grade: Grade {
        if causes.contains(where: { $0.grade == .broken }) { return .broken }
        return causes.contains { $0.grade == .warning } ? .warning : .ok
    }

    /// True if the device cannot be used for a challenge. A pattern needs both buttons.
    package var isUnusable: Bool {
        grade == .broken || causes.contains { $0.code == .buttonStuck || $0.code == .buttonLoose }
    }

    /// The cause that marks a device as pulled out.
    package var pulledOut: Cause? { causes.first { $0.code == .pulledOut || $0 == .cameraPulledOut } }

    /// The end of the day for which the device counts as pulled out; nil if it does not.
    package var pulledOutUntil: Instant? {
        pulledOut.map { $0.untilSeconds.map { Instant(secondsSince1970: $0) } ?? .earliest }
    }

    package func adding(_ cause: Cause) -> Health {
        var health = self
        health.causes.append(cause)
        return health
    }

    /// The health of a device that is only broken from now on.
    package var withoutPulledOut: Health {
        var health = self
        health.causes = causes.compactMap { cause in
            if cause == .cameraPulledOut { return .cameraBroken(reason: "it was unplugged") }
            return cause.code == .pulledOut ? nil : cause
        }
        return health
    }
}

/// A cause of bad health: its code, and the details of its text. Facts, responses and events contain it in
/// this form. A new cause needs a `Code` with its grade, a function that makes it, and its text in
/// `HealthText.swift`.
package struct Cause: Codable, SparselyCoded, Hashable, Sendable {
    package enum Code: String, Choice, Hashable, Sendable {
        case silent, unready, buzzerOnly, replaced, mixer, sound, soundsUnread, diskRefuses, diskWears, diskHangs,
            clockUnknown, codesUnmet, cameraBroken, cameraPulledOut, camera, unusable, wiring, buttonStuck, buttonLoose,
            noRing, allOff, pulledOut, challengesReplaced
        /// A grade with a given text.
        case described
    }

    package let code: Code
    /// The reasons from the device, the system or the alarms.
    package private(set) var reasons: [String]?
    package private(set) var speakers: [SpeakerFailure]?
    /// The speakers that are configured and missing, and the one that is used instead.
    package private(set) var missing: [String]?
    package private(set) var replacement: String?
    package private(set) var button: Button?
    /// The end of the day for which a device counts as pulled out, in seconds since 1970.
    package private(set) var untilSeconds: Int?
    /// The grade of a described cause; for any other, `grade` follows from the code.
    private var describedGrade: Health.Grade?

    private enum CodingKeys: String, CodingKey {
        case code, reasons, speakers, missing, replacement, button, untilSeconds
        case describedGrade = "grade"
    }

    private init(_ code: Code, _ reasons: String..., speakers: [SpeakerFailure]? = nil, button: Button? = nil) {
        self.code = code
        self.reasons = reasons.isEmpty ? nil : reasons
        self.speakers = speakers
        self.button = button
    }

    package var grade: Health.Grade {
        switch code {
        case .silent, .unready, .diskRefuses, .diskHangs, .codesUnmet, .cameraBroken, .cameraPulledOut, .unusable,
            .challengesReplaced:
            .broken
        // If the stop button does not work, a challenge must begin by itself.
        case .buttonStuck, .buttonLoose: button == .stop ? .broken : .warning
        case .wiring, .camera, .buzzerOnly, .replaced, .mixer, .sound, .soundsUnread, .diskWears, .clockUnknown,
            .noRing, .allOff, .pulledOut:
            .warning
        case .described: describedGrade ?? .warning
        }
    }
}

extension Cause {
    /// No speaker is heard during a ring, or none would be. `failures` lists each one.
    package static func silent(_ failures: [SpeakerFailure]) -> Cause { Cause(.silent, speakers: failures) }
    package static func unready(_ failures: [SpeakerFailure]) -> Cause { Cause(.unready, speakers: failures) }
    package static func buzzerOnly(_ failures: [SpeakerFailure]) -> Cause { Cause(.buzzerOnly, speakers: failures) }

    /// A speaker is used instead of others that are missing or have failed.
    package static func replaced(by name: String, missing: [String], failures: [SpeakerFailure]) -> Cause {
        var cause = Cause(.replaced, speakers: failures)
        cause.missing = missing
        cause.replacement = name
        return cause
    }

    /// A mixer is not as loud as it should be, as its card reports.
    package static func mixer(_ reason: String) -> Cause { Cause(.mixer, reason) }
    /// A sound cannot be played, for this reason.
    package static func sound(_ reason: String) -> Cause { Cause(.sound, reason) }
    /// The disk with the sounds does not answer.
    package static let soundsUnread = Cause(.soundsUnread)
    package static func diskRefuses(reason: String) -> Cause { Cause(.diskRefuses, reason) }
    /// The disk has failed in a way that is a sign of wear.
    package static func diskWears(failure: String) -> Cause { Cause(.diskWears, failure) }
    package static let diskHangs = Cause(.diskHangs)
    package static let clockUnknown = Cause(.clockUnknown)
    /// The camera delivers no frames, for this reason.
    package static func cameraBroken(reason: String) -> Cause { Cause(.cameraBroken, reason) }
    /// The camera was pulled out while an alarm was locked or rang, as earlier versions recorded it.
    package static let cameraPulledOut = Cause(.cameraPulledOut)
    /// A device failed while an alarm was locked or rang. It counts as pulled out until the end of that day.
    package static func pulledOut(until instant: Instant) -> Cause {
        var cause = Cause(.pulledOut)
        cause.untilSeconds = instant.secondsSince1970
        return cause
    }
    /// The camera reads codes, with this limitation.
    package static func camera(_ reason: String) -> Cause { Cause(.camera, reason) }
    /// The part cannot be used, for this reason.
    package static func unusable(reason: String) -> Cause { Cause(.unusable, reason) }
    /// The wiring of a part may be wrong, for this reason.
    package static func wiring(_ reason: String) -> Cause { Cause(.wiring, reason) }
    /// A button has been down for minutes, or a button's wire is loose.
    package static func buttonStuck(_ button: Button) -> Cause { Cause(.buttonStuck, button: button) }
    package static func buttonLoose(_ button: Button) -> Cause { Cause(.buttonLoose, button: button) }

    /// Alarms cannot be stopped by the codes and tags that are enrolled.
    package static func codesUnmet(_ reasons: [String]) -> Cause {
        var cause = Cause(.codesUnmet)
        cause.reasons = reasons
        return cause
    }

    /// Other challenges will replace challenges of alarms, because their devices are missing.
    package static func challengesReplaced(_ reasons: [String]) -> Cause {
        var cause = Cause(.challengesReplaced)
        cause.reasons = reasons
        return cause
    }

    /// No alarm will ring: none is on, or the master switch is off.
    package static let noRing = Cause(.noRing)
    package static let allOff = Cause(.allOff)

    package static func described(_ grade: Health.Grade, _ text: String) -> Cause {
        var cause = Cause(.described, text)
        cause.describedGrade = grade
        return cause
    }
}

package struct SpeakerFailure: Codable, Hashable, Sendable {
    package var name: String
    /// The reason of the failure; nil if the speaker was not tried.
    package var reason: String?

    package init(name: String, reason: String?) {
        self.name = name
        self.reason = reason
    }
}
