// What a request is answered: done, with what was asked for, or refused, and why.

import Alarms
import JSON

package enum Answer<Body: Codable & Sendable>: Sendable {
    case done(Done<Body>)
    case refused(Refused)
}

package struct Done<Body: Codable & Sendable>: Sendable {
    package var body: Body
    package var warnings: [ProblemReport]

    package init(_ body: Body, warnings: [ProblemReport] = []) { (self.body, self.warnings) = (body, warnings) }
}

/// That it is not done, and why.
package struct Refused: Error, Codable, Hashable, Sendable {
    /// For programs.
    package var name: RefusalName
    /// For people, without a word on how they came in: what is to be typed or tapped the door's other side knows.
    package var words: String
    /// Each thing that is wrong with what was sent.
    package var problems: [ProblemReport]
    /// The alarm that stands in the way.
    package var alarm: AlarmLabel?
    /// Whether that rings or is snoozed.
    package var isOpen: Bool?
    /// What is to be done first.
    package var asked: AskedReport?
    /// The present revision of what has changed meanwhile.
    package var revision: String?

    package init(_ name: RefusalName, _ words: String, problems: [ProblemReport] = []) {
        (self.name, self.words, self.problems) = (name, words, problems)
    }

    package static func malformed(_ words: String) -> Refused { Refused(.malformed, words) }
}

package enum RefusalName: String, Choice, Sendable {
    case malformed, problems, noSuchAlarm, noSuchCode, locked, changedMeanwhile, nothingRings, anotherRings, ringing,
        noSnoozeLeft,
        tooSoon, challengesOpen, challengeOpen, validating, nothingAsked, lockedOut, noEmergencyExit, noCamera,
        noTagReader, randomTag, looking, noCodeSeen, severalCodes, enrolledAlready, cancelled, busy, tooMany, notKept,
        notSimulated, notReady
}

/// One thing that is wrong, and where.
package struct ProblemReport: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The field it is about, as in `alarms[2].weekly.tue`; empty for the whole.
    package var place: String
    package var words: String

    package init(_ place: String, _ words: String) { (self.place, self.words) = (place, words) }

    package init(_ problem: Problem) { self.init(problem.place, problem.reason) }

    /// `place: words`.
    package var description: String { place.isEmpty ? words : "\(place): \(words)" }
}

extension Done {
    package var json: JSON {
        var members = JSON(encoding: body).members
        if !warnings.isEmpty { members += JSON.members(Warned(warnings: warnings)) }
        return .object([JSON.Member("ok", .bool(true))] + members)
    }
}

extension Refused {
    package var json: JSON {
        .object([JSON.Member("ok", .bool(false)), JSON.Member("error", .object(JSON.members(self)))])
    }
}

private struct Warned: Codable {
    let warnings: [ProblemReport]?
}

extension Answer {
    package var json: JSON {
        switch self {
        case .done(let done): done.json
        case .refused(let refused): refused.json
        }
    }

    package init(_ json: JSON) throws(JSONMismatch) {
        switch json.member("ok") {
        case .bool(true)?:
            let warned: Warned = try json.decoded()
            self = .done(Done(try json.decoded(), warnings: warned.warnings ?? []))
        case .bool(false)?: self = .refused(try (json.member("error") ?? .null).decoded(at: "error"))
        default: throw JSONMismatch("ok", "says neither yes nor no")
        }
    }
}
