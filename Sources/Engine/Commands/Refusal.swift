// Why a command is refused: each reason has its name for programs and its text for people here.

import Alarms
import Text

/// The name of an error, for programs.
package enum ErrorCode: String, Choice, Hashable, Sendable {
    case malformed, problems, noSuchAlarm, noSuchCode, locked, changedMeanwhile, nothingRings, anotherRings, ringing,
        noSnoozeLeft, tooSoon, challengesOpen, challengeOpen, validating, nothingAsked, lockedOut, noEmergencyExit,
        noCamera, noTagReader, randomTag, scanning, noCodeSeen, severalCodes, enrolledAlready, cancelled, busy, tooMany,
        notKept, notSimulated, notReady
}

/// Why a command is refused. A new reason has a name in `ErrorCode`, and a function here that makes it.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: ErrorCode
    /// What is wrong and what to do about it, in one line.
    package let description: String
    /// The alarm that the refusal is about.
    package private(set) var alarm: AlarmName?
    /// Whether that alarm rings or is snoozed.
    package private(set) var isOpen: Bool?
    /// The present revision of what has changed meanwhile; nil where it was deleted.
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

    /// What is to be changed has another revision than its sender has seen.
    package static func changedMeanwhile(revision: String?) -> Refusal {
        var refusal = Refusal(.changedMeanwhile, "It has been changed meanwhile: look at it anew")
        refusal.revision = revision
        return refusal
    }

    /// The alarm rings soon or rings now, and the change would be a way to escape it.
    package static func locked(_ name: AlarmName, isOpen: Bool) -> Refusal {
        let shown = name.label.isEmpty ? "The alarm" : "\"\(name.label)\""
        let end = isOpen ? "until its ring is over" : "until it has rung"
        var refusal = Refusal(.locked, "\(shown) is locked \(end): complete its challenges first")
        refusal.alarm = name
        refusal.isOpen = isOpen
        return refusal
    }

    package static let nothingRings = Refusal(.nothingRings, "Nothing rings")

    /// The ring that was meant is over, and this one rings.
    package static func anotherRings(_ name: AlarmName) -> Refusal {
        let shown = name.label.isEmpty ? "another alarm" : name.label.quoted
        return Refusal(.anotherRings, "That ring is over: \(shown) rings now")
    }

    package static let ringing = Refusal(.ringing, "Not while an alarm rings or is snoozed")

    /// All snoozes are used, of so many.
    package static func noSnoozeLeft(max: Int) -> Refusal {
        Refusal(
            .noSnoozeLeft,
            max == 0 ? "This alarm cannot be snoozed" : "No snooze is left: \(max) of \(max) used")
    }

    /// A second press right after the first.
    package static let tooSoon = Refusal(.tooSoon, "Pressed twice: the first one counts")
    /// The session has challenges, and none is done.
    package static let challengesOpen = Refusal(.challengesOpen, "Complete all challenges to stop the alarm")

    package static func challengeOpen(_ kind: Challenge.Kind) -> Refusal {
        Refusal(.challengeOpen, "Complete \(kind.name) challenge to continue")
    }

    /// Somebody is doing a challenge now.
    package static let validating = Refusal(.validating, "Challenge validation in progress")
    package static let nothingAsked = Refusal(.nothingAsked, "No sum is asked now")

    /// Too many wrong answers: none is accepted for so many seconds. `isNew`: this one was wrong, too.
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
    /// Too many commands are queued.
    package static let busy = Refusal(.busy, "Too much is asked for at once: try again")
    package static func tooMany(_ things: String) -> Refusal { Refusal(.tooMany, "There are too many \(things)") }

    package static func notKept(reason: String) -> Refusal {
        Refusal(.notKept, "It could not be written down: \(reason)")
    }
}
