// Answers as JSON: what every door says, and every script relies on.

import CivilTime
import Engine
import JSON

extension JSON {
    /// An answer that says that something was done, and what else there is to say.
    static func done(_ members: [Member] = []) -> JSON { .object([Member("ok", .bool(true))] + members) }

    /// An answer that says that it was not.
    static func refused(
        _ reason: String, _ words: String, problems: [Problem] = [], besides members: [Member] = []
    ) -> JSON {
        .object(
            [Member("ok", .bool(false)), Member("reason", .string(reason)), Member("words", .string(words))] + members
                + (problems.isEmpty ? [] : [Member("problems", .array(problems.map { .string("\($0)") }))]))
    }

    /// A point in time in UTC, to the millisecond where it is not a whole second.
    static func instant(milliseconds: Int) -> JSON {
        let seconds = milliseconds.quotient(floor: 1000)
        let rest = milliseconds - seconds * 1000
        let text = "\(Instant(secondsSince1970: seconds))"
        return .string(rest == 0 ? text : "\(text.dropLast()).\("\(1000 + rest)".dropFirst())Z")
    }
}

extension Int {
    /// Divided, and rounded down.
    fileprivate func quotient(floor divisor: Int) -> Int {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension Refusal {
    /// Its name, and its words for people.
    var json: JSON {
        let problems: [Problem] = if case .problems(let problems) = self { problems } else { [] }
        return .refused(name, "\(self)", problems: problems, besides: members)
    }

    /// Which alarm stands in the way.
    private var members: [JSON.Member] {
        guard case .locked(let name, let isOpen) = self else { return [] }
        return name.members + [.init("open", .bool(isOpen))]
    }

    private var name: String {
        switch self {
        case .noSuchAlarm: "noSuchAlarm"
        case .noSuchCode: "noSuchCode"
        case .problems: "problems"
        case .locked: "locked"
        case .nothingRings: "nothingRings"
        case .ringing: "ringing"
        case .noSnoozeLeft: "noSnoozeLeft"
        case .tooSoon: "tooSoon"
        case .challengesOpen: "challengesOpen"
        case .challengeOpen: "challengeOpen"
        case .validating: "validating"
        case .nothingAsked: "nothingAsked"
        case .lockedOut: "lockedOut"
        case .noEmergencyExit: "noEmergencyExit"
        case .noCamera: "noCamera"
        case .noTagReader: "noTagReader"
        case .randomTag: "randomTag"
        case .looking: "looking"
        case .noCodeSeen: "noCodeSeen"
        case .severalCodes: "severalCodes"
        case .enrolledAlready: "enrolledAlready"
        case .cancelled: "cancelled"
        case .busy: "busy"
        case .tooMany: "tooMany"
        case .notKept: "notKept"
        }
    }
}

extension Assignment {
    /// What is to be done, as it is shown. What a sum comes to is not told.
    var json: JSON { json(lockedOutMilliseconds: 0) }

    /// The same, and for how long no answer is taken.
    func json(lockedOutMilliseconds: Int) -> JSON {
        switch self {
        case .code(let labels): asked("qr", [.init("labels", .array(labels.map(JSON.string)))])
        case .sum(let sum, let left):
            // Rounded up: an answer is taken when it says 0.
            asked(
                "math",
                [
                    .init("sum", .string(sum.text)), .init("sumNumber", .number(sum.number)),
                    .init("left", .number(left)),
                    .init("lockedOutSeconds", .number((lockedOutMilliseconds + 999) / 1000)),
                ])
        case .steps(let left): asked("steps", [.init("left", .number(left))])
        case .pattern(let buttons):
            asked("pattern", [.init("buttons", .array(buttons.map { .string($0.rawValue) }))])
        case .tag(let labels): asked("tag", [.init("labels", .array(labels.map(JSON.string)))])
        case .impossible: asked("impossible", [])
        }
    }

    private func asked(_ kind: String, _ members: [JSON.Member]) -> JSON {
        .object([.init("kind", .string(kind))] + members)
    }
}

extension AlarmName {
    /// Which alarm.
    var members: [JSON.Member] { [.init("alarm", .string(id)), .init("label", .string(label))] }
}

extension JSON.Member {
    /// Which alarm rings on; null where none does.
    fileprivate static func ringing(_ name: AlarmName?) -> JSON.Member {
        JSON.Member("ringing", name.map { .object($0.members) } ?? .null)
    }
}

extension Outcome {
    /// What it adds to the answer.
    var members: [JSON.Member] {
        switch self {
        case .done, .saved: []
        case .enrolled(let asksForAnother): [.init("another", .bool(asksForAnother))]
        case .codeSeen(let label, let kind, let fingerprint, let symbology):
            [
                .init("label", .text(label)), .init("kind", .text(kind.rawValue)),
                .init("fingerprint", .string(fingerprint)),
                .init("symbology", kind == .qr ? .string(symbology) : .null),
            ]
        case .restored(let count, let setAside):
            [.init("alarms", .number(count)), .init("setAside", .array(setAside.map { .string("\($0)") }))]
        case .skipped(let date, _): [.init("date", .text(date))]
        case .snoozed(let name, let until, let left, let isClamped, let ringing):
            name.members + [
                .init("until", .instant(milliseconds: until)), .init("left", left.map { .number($0) } ?? .null),
                .init("clamped", .bool(isClamped)), .ringing(ringing),
            ]
        case .stopped(let name, let ringing): [.init("state", .string("stopped"))] + name.members + [.ringing(ringing)]
        case .nothingRings: [.init("state", .string("nothingRings"))]
        case .answered(let isRight, let next):
            [.init("right", .bool(isRight)), .init("asked", next?.json ?? .null)]
        case .late(let next): [.init("right", .bool(false)), .init("late", .bool(true)), .init("asked", next.json)]
        case .completed(let name, let isUnlocked, let ringing):
            [
                .init("right", .bool(true)), .init("asked", .null),
                .init("state", .string(isUnlocked ? "unlocked" : "stopped")),
            ] + name.members + [.ringing(ringing)]
        case .assigned(let assignment): [.init("asked", assignment.json)]
        case .notLocked(let until):
            [.init("lockedFrom", until.map { .string("\($0)") } ?? .null)]
        case .unwritten(let outcome):
            outcome.members + [
                .init(
                    "warnings", .array([.string("It could not be written down yet: after a restart it may ring again")])
                )
            ]
        }
    }
}

extension Outcome {
    /// What the owner should know.
    var problems: [Problem] { if case .saved(_, let warnings) = self { warnings } else { [] } }
}

extension JSON {
    /// What the owner should know, if there is anything.
    static func warnings(_ problems: [Problem]) -> [Member] {
        let warnings = problems.filter { $0.weight == .warning }.map { JSON.string("\($0)") }
        return warnings.isEmpty ? [] : [Member("warnings", .array(warnings))]
    }
}
