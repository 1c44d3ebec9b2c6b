// The reasons why a command is refused, each with a code for programs and a text for people.

import Alarms
import Challenges
import Text

/// The code of an error, for programs.
package enum ErrorCode: String, Choice, Hashable, Sendable {
    case malformed, problems, noSuchAlarm, noSuchCode, locked, changedMeanwhile, nothingRings, anotherRings, ringing,
        noSnoozeLeft, tooSoon, challengesOpen, challengeOpen, validating, nothingAsked, lockedOut, noEmergencyExit,
        noCamera, noPicture, noTagReader, randomTag, scanning, noCodeSeen, severalCodes, enrolledAlready, cancelled,
        busy, tooMany, notKept, notSimulated, notReady, cannotPostpone, doneAlready, noCheck, checkAhead, unpaired,
        notAllowed, noSuchSound, soundInUse, uploadLost,
        noSuchClient, noInvitation, noSuchPairing, noButtons, pairLater, pairedTwice, wrongPresses

    /// True if the service could not decide or save, so that the same request may succeed later.
    package var isTemporary: Bool { [.busy, .notReady, .notKept].contains(self) }
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
    /// The time from which its open wake-up check asks.
    package private(set) var asksMilliseconds: Int?
    /// The present revision of the object that has changed; nil if it was deleted.
    package private(set) var revision: String?
    /// The problems of the request, or the members by which it would make a locked alarm easier.
    package private(set) var problems: [Problem] = []
    /// The seconds after which the sender may try again; nil if there is no such time.
    package private(set) var retrySeconds: Int?

    private init(_ code: ErrorCode, _ description: String) {
        self.code = code
        self.description = description
    }

    package static func noSuchAlarm(_ id: Alarm.ID) -> Refusal { Refusal(.noSuchAlarm, "There is no alarm \"\(id)\"") }

    package static func noSuchCode(_ label: String) -> Refusal {
        Refusal(.noSuchCode, "There is no code or tag \"\(label)\"")
    }

    package static func noSuchClient(_ id: String) -> Refusal {
        Refusal(.noSuchClient, "There is no client \(id.quoted)")
    }

    package static let noInvitation = Refusal(
        .noInvitation, "This invitation is not valid: it was used or replaced, or is older than 2 minutes")
    package static let noSuchPairing = Refusal(
        .noSuchPairing, "There is no such pairing, or its token was fetched already")
    /// No press is possible. On such a device only its owner's terminal can invite the first client.
    package static let noButtons = Refusal(
        .noButtons, "This device has no button that works. On the device itself, the command rooster pair shows a code."
    )
    package static let pairedTwice = Refusal(
        .pairedTwice, "Two clients asked to be paired at the same time, so neither of them is. Try again.")
    package static let wrongPresses = Refusal(.wrongPresses, "The buttons were pressed in another way than shown")

    package static func pairLater(seconds: Int) -> Refusal {
        var refusal = Refusal(.pairLater, "An earlier attempt to pair has failed: wait \(seconds) s")
        refusal.retrySeconds = seconds
        return refusal
    }

    package static func problems(_ problems: [Problem]) -> Refusal {
        var refusal = Refusal(.problems, problems.map(\.description).joined(separator: "; "))
        refusal.problems = problems
        return refusal
    }

    /// The object has a revision that the sender has not seen.
    package static func changedMeanwhile(revision: String?) -> Refusal {
        var refusal = Refusal(
            .changedMeanwhile, "Not changed: another client has made a change meanwhile. Look at it and try again.")
        refusal.revision = revision
        return refusal
    }

    /// The alarm rings now or soon, and the change would evade its ring. `consequence` names the refused
    /// change: "it cannot be deleted".
    package static func locked(
        _ name: AlarmName, until end: LockEnd, _ consequence: String, _ problems: [Problem] = []
    ) -> Refusal {
        let shown = name.label.isEmpty ? "The alarm" : "\"\(name.label)\""
        let (event, advice) =
            switch end {
            case .nextRing: ("it has rung", "To change it now, do its challenges.")
            case .openRing: ("its ring is over", "To end it, do its challenges.")
            case .check(_, nil): ("its wake-up check is answered", "The check asks now: answer it.")
            case .check(_, let time?):
                ("its wake-up check is answered", "The check asks at \(time): answer it then.")
            }
        var refusal = Refusal(.locked, "\(shown) is locked until \(event), so \(consequence). \(advice)")
        refusal.alarm = name
        refusal.isOpen = end != .nextRing
        if case .check(let milliseconds, _) = end { refusal.asksMilliseconds = milliseconds }
        refusal.problems = problems
        return refusal
    }

    /// The alarm has challenges, and its owner has not allowed to put it off.
    package static func cannotPostpone(_ name: AlarmName) -> Refusal {
        let shown = name.label.isEmpty ? "The alarm" : name.label.quoted
        var refusal = Refusal(
            .cannotPostpone, "\(shown) has challenges, so its ring cannot be put off unless it allows that")
        refusal.alarm = name
        return refusal
    }

    /// The ring that would be done is done already.
    package static func doneAlready(_ name: AlarmName) -> Refusal {
        var refusal = Refusal(.doneAlready, "\(name.label.isEmpty ? "The alarm" : name.label.quoted) is done already")
        refusal.alarm = name
        return refusal
    }

    package static let nothingRings = Refusal(.nothingRings, "Nothing rings")

    /// The ring that the request names is over, and this alarm rings now.
    package static func anotherRings(_ name: AlarmName) -> Refusal {
        let shown = name.label.isEmpty ? "another alarm" : name.label.quoted
        return Refusal(.anotherRings, "That ring is over: \(shown) rings now")
    }

    package static let ringing = Refusal(.ringing, "Not possible while an alarm rings or is snoozed")
    package static let noCheck = Refusal(.noCheck, "No wake-up check is open")
    package static let checkAhead = Refusal(.checkAhead, "The wake-up check has not begun: wait for its chime")

    /// All `max` snoozes are used.
    package static func noSnoozeLeft(max: Int) -> Refusal {
        Refusal(
            .noSnoozeLeft,
            max == 0 ? "This alarm cannot be snoozed" : "No snooze is left: \(max) of \(max) used")
    }

    /// A second press right after the first one.
    package static let tooSoon = Refusal(.tooSoon, "Pressed twice: only the first press counts")
    /// The session has challenges, and none is completed.
    package static let challengesOpen = Refusal(.challengesOpen, "Complete all challenges to stop the alarm")

    package static func challengeOpen(_ kind: Challenge.Kind) -> Refusal {
        Refusal(.challengeOpen, "Complete the \(kind.name) challenge to continue")
    }

    /// A challenge is in progress, so the session can be neither snoozed nor stopped.
    package static let validating = Refusal(
        .validating,
        "A challenge is in progress. Finish it, or leave it alone for \(ActiveChallenge.activeMilliseconds / 1000) s.")

    /// The number answers no sum, because the alarm has another challenge, or none.
    package static func nothingAsked(_ name: AlarmName? = nil, _ assignment: Assignment? = nil) -> Refusal {
        guard let name, let thing = assignment?.thing else { return Refusal(.nothingAsked, "No sum is open now") }
        let shown = name.label.isEmpty ? "The alarm" : name.label.quoted
        return Refusal(.nothingAsked, "\(shown) asks for \(thing), not for a sum")
    }

    /// Too many answers were wrong, so none is accepted for a while. `wrong` is the answer that began the
    /// lock-out.
    package static func lockedOut(seconds: Int, wrong: Int? = nil) -> Refusal {
        let reason = wrong.map { "\($0) is wrong, the third wrong answer in a row" } ?? "Too many wrong answers"
        return Refusal(.lockedOut, "\(reason): wait \(seconds) s")
    }

    package static let noEmergencyExit = Refusal(.noEmergencyExit, "The emergency exit is switched off")
    package static let noCamera = Refusal(.noCamera, "This device has no camera")
    package static let noTagReader = Refusal(.noTagReader, "This device has no tag reader")
    package static let randomTag = Refusal(
        .randomTag, "This tag changes its number at each reading, as phones do. Use a tag with a fixed number.")
    package static let scanning = Refusal(.scanning, "Another code or tag is being enrolled or tested")
    package static let noCodeSeen = Refusal(.noCodeSeen, "No code or tag was shown in time")
    package static let severalCodes = Refusal(.severalCodes, "Several codes are in view: show only one")

    package static func enrolledAlready(_ label: String) -> Refusal {
        Refusal(.enrolledAlready, "This code or tag is already enrolled as \"\(label)\"")
    }

    package static let cancelled = Refusal(.cancelled, "Cancelled")
    /// The queue of commands is full.
    package static let busy = Refusal(.busy, "Too many requests at once: try again")

    package static func tooMany(_ things: String, max: Int) -> Refusal {
        Refusal(.tooMany, "There can be at most \(max) \(things)")
    }

    package static func notKept(reason: String) -> Refusal {
        Refusal(.notKept, "Not saved (\(reason))")
    }
}

extension Assignment {
    /// The action that the assignment requires; nil for a sum.
    fileprivate var thing: String? {
        switch self {
        case .code(let labels): "the code \(labels.map(\.quoted).joined(separator: " or "))"
        case .tag(let labels): "the tag \(labels.map(\.quoted).joined(separator: " or "))"
        case .steps: "steps"
        case .pattern: "presses of the buttons"
        case .sum, .impossible: nil
        }
    }
}
