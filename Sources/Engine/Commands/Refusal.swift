// The reasons why a command is refused, each with a code for programs and a text for people.

import Alarms
import Text

/// The code of an error, for programs.
package enum ErrorCode: String, Choice, Hashable, Sendable {
    case malformed, problems, noSuchAlarm, noSuchCode, locked, changedMeanwhile, nothingRings, anotherRings, ringing,
        noSnoozeLeft, tooSoon, challengesOpen, challengeOpen, validating, nothingAsked, lockedOut, noEmergencyExit,
        noCamera, noTagReader, randomTag, scanning, noCodeSeen, severalCodes, enrolledAlready, cancelled, busy, tooMany,
        notKept, notSimulated, notReady
}

/// A refusal. To add a reason, add its name to `ErrorCode` and a function here that makes the refusal.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: ErrorCode
    /// The fault and its remedy, on one line.
    package let description: String
    /// The alarm that the refusal concerns.
    package private(set) var alarm: AlarmName?
    /// True if that alarm rings or is snoozed.
    package private(set) var isOpen: Bool?
    /// The present revision of the object that has changed; nil if it was deleted.
    package private(set) var revision: String?
    package private(set) var problems: [Problem] = []

    private init(_ code: ErrorCode, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func noSuchAlarm(_ id: Alarm.ID) -> Refusal { Refusal(.noSuchAlarm, "There is no alarm \"\(id)\"") }

    package static func noSuchCode(_ label: String) -> Refusal {
        Refusal(.noSuchCode, "There is no code or tag \"\(label)\"")
    }

    package static func problems(_ problems: [Problem]) -> Refusal {
        var refusal = Refusal(.problems, problems.map(\.description).joined(separator: "; "))
        refusal.problems = problems
        return refusal
    }

    /// The object has a revision that the sender has not seen.
    package static func changedMeanwhile(revision: String?) -> Refusal {
        var refusal = Refusal(.changedMeanwhile, "It has been changed meanwhile: look at it anew")
        refusal.revision = revision
        return refusal
    }

    /// The alarm rings now or soon, and the change would evade its ring.
    package static func locked(_ name: AlarmName, isOpen: Bool) -> Refusal {
        let shown = name.label.isEmpty ? "The alarm" : "\"\(name.label)\""
        let end = isOpen ? "until its ring is over" : "until it has rung"
        var refusal = Refusal(.locked, "\(shown) is locked \(end): complete its challenges first")
        refusal.alarm = name
        refusal.isOpen = isOpen
        return refusal
    }

    package static let nothingRings = Refusal(.nothingRings, "Nothing rings")

    /// The ring that the request names is over, and this alarm rings now.
    package static func anotherRings(_ name: AlarmName) -> Refusal {
        let shown = name.label.isEmpty ? "another alarm" : name.label.quoted
        return Refusal(.anotherRings, "That ring is over: \(shown) rings now")
    }

    package static let ringing = Refusal(.ringing, "Not while an alarm rings or is snoozed")

    /// All `max` snoozes are used.
    package static func noSnoozeLeft(max: Int) -> Refusal {
        Refusal(
            .noSnoozeLeft,
            max == 0 ? "This alarm cannot be snoozed" : "No snooze is left: \(max) of \(max) used")
    }

    /// A second press right after the first one.
    package static let tooSoon = Refusal(.tooSoon, "Pressed twice: the first one counts")
    /// The session has challenges, and none is completed.
    package static let challengesOpen = Refusal(.challengesOpen, "Complete all challenges to stop the alarm")

    package static func challengeOpen(_ kind: Challenge.Kind) -> Refusal {
        Refusal(.challengeOpen, "Complete \(kind.name) challenge to continue")
    }

    /// A challenge is in progress, so the session can be neither snoozed nor stopped.
    package static let validating = Refusal(.validating, "Challenge validation in progress")
    package static let nothingAsked = Refusal(.nothingAsked, "No sum is asked now")

    /// Too many answers were wrong, so none is accepted for a while. `isNew` is true if this answer began
    /// the lock-out.
    package static func lockedOut(seconds: Int, isNew: Bool) -> Refusal {
        let reason = isNew ? "That is wrong, for the third time" : "Too many wrong answers"
        return Refusal(.lockedOut, "\(reason): wait \(seconds) s")
    }

    package static let noEmergencyExit = Refusal(.noEmergencyExit, "The emergency way out is switched off")
    package static let noCamera = Refusal(.noCamera, "This device is set up without a camera")
    package static let noTagReader = Refusal(.noTagReader, "This device is set up without a reader of tags")
    package static let randomTag = Refusal(
        .randomTag, "This tag is another one each time it is read, as a phone is: take one that stays the same")
    package static let scanning = Refusal(.scanning, "A code or tag is being enrolled or tested already")
    package static let noCodeSeen = Refusal(.noCodeSeen, "Nothing was shown in time")
    package static let severalCodes = Refusal(.severalCodes, "Several codes are in view: show one alone")

    package static func enrolledAlready(_ label: String) -> Refusal {
        Refusal(.enrolledAlready, "It is enrolled already, as \"\(label)\"")
    }

    package static let cancelled = Refusal(.cancelled, "Called off")
    /// The queue of commands is full.
    package static let busy = Refusal(.busy, "Too much is asked for at once: try again")
    package static func tooMany(_ things: String) -> Refusal { Refusal(.tooMany, "There are too many \(things)") }

    package static func notKept(reason: String) -> Refusal {
        Refusal(.notKept, "It could not be written down: \(reason)")
    }
}
