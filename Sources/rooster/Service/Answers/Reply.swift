// What the service answers: what was asked for, or why not.

import JSON
import Text

/// An answer, or a refusal.
enum Reply {
    case done(Answer)
    case refused(RefusedByService)

    init(_ line: [UInt8]) throws(Refusal) {
        let json: JSON
        do {
            json = try JSON(parsing: line)
        } catch {
            throw Answer.notUnderstood("\(error)")
        }
        guard case .object(let members) = json else { throw Answer.notUnderstood("it is no object") }
        var fields = Fields(members, at: "")
        guard let isDone = fields.bool("ok") else { throw Answer.notUnderstood("it says neither yes nor no") }
        let answer = Answer(members: members.filter { $0.name != "ok" })
        self = isDone ? .done(answer) : .refused(RefusedByService(&fields, answer.json))
    }
}

/// What was asked for.
struct Answer {
    /// All that it says, but that it is done.
    let members: [JSON.Member]

    var json: JSON { .object(members) }

    /// Takes out of it what is needed.
    func read<Value>(_ read: (inout Fields) -> Value?) throws(Refusal) -> Value {
        var fields = Fields(members, at: "")
        let value = read(&fields)
        if let problem = fields.problems.first { throw Answer.notUnderstood("\(problem)") }
        guard let value else { throw Answer.notUnderstood("something is missing in it") }
        return value
    }

    /// What the owner should know of what was done.
    var warnings: [String] {
        var fields = Fields(members, at: "")
        return fields.texts("warnings") ?? []
    }

    static func notUnderstood(_ why: String) -> Refusal {
        .refused("roosterd's answer is not understood (\(why)): are it and this rooster of the same version?")
    }
}

/// Why the service did not do it.
struct RefusedByService {
    /// Its name, for programs.
    let reason: String
    /// The same for people.
    let words: String
    /// Each thing that is wrong with what was sent.
    var problems: [String]
    /// What is to be done first, where it says that.
    let asked: Asked?
    /// What the alarm is called that stands in the way; a word for it where the service does not say.
    private let alarm: String
    /// Whether that rings or is snoozed.
    private let isOpen: Bool
    /// All that it says, but that it is refused.
    let json: JSON

    init(_ fields: inout Fields, _ json: JSON) {
        self.json = json
        reason = fields.text("reason") ?? ""
        words = fields.text("words") ?? ""
        problems = fields.texts("problems") ?? []
        asked = Asked.read("asked", &fields)
        isOpen = fields.bool("open") ?? false
        let (label, id) = (fields.text("label") ?? "", fields.text("alarm").map { String($0.prefix(8)).inOneLine })
        alarm = label.isEmpty ? id ?? "ALARM" : label.asWord
    }
}

extension RefusedByService: CustomStringConvertible {
    /// A line for each problem, else one for the whole, with what to do.
    var description: String {
        if !problems.isEmpty { return problems.map(\.asSentence).joined(separator: "\nrooster: ") }
        let words = words.isEmpty ? "roosterd refuses: \(reason)" : words
        return words.asSentence + advice
    }

    /// What this command line can do about it.
    private var advice: String {
        switch reason {
        case "locked" where isOpen: ": 'rooster stop' begins them"
        case "locked": ": 'rooster unlock \(alarm)' begins them"
        case "nothingAsked":
            ": 'rooster stop' stops what rings or begins its challenge, 'rooster unlock ALARM' any other"
        case "validating": ": go on with it, or leave it alone for half a minute"
        case "noSuchCode": ": 'rooster code list' shows all"
        case "enrolledAlready": ": use it by that name, or 'rooster code forget' that one first"
        case "noCamera": ": its configuration says 'use = false' of the camera"
        case "noTagReader": ": 'tags: { use = true; };' in its configuration sets it up with one"
        case "looking": ": 'rooster status' says what for; 'rooster code cancel' ends an enrolment or a test"
        case "notSimulated": ": start it with 'roosterd --simulate'"
        default: ""
        }
    }
}
