// The answers of the service in words, with advice for the command line.

import API
import JSON
import Text

extension JSON {
    fileprivate func without(_ name: String) -> JSON { .object(members.filter { $0.name != name }) }
}

extension Encodable {
    /// The value as JSON on one line, for scripts.
    var line: String { JSON(encoding: self).line }
}

extension SuccessResponse {
    var forScripts: JSON { json.without("ok") }
}

extension ErrorResponse {
    var forScripts: JSON { json.without("ok") }

    /// Returns a line for each problem; without problems, the message and advice.
    func words(_ names: OptionNames? = nil) -> String {
        guard problems.isEmpty else {
            return problems.map { (names?.words($0) ?? "\($0)").asSentence }.joined(separator: "\nrooster: ")
        }
        guard code != .validating else {
            return "not while you are at a challenge: go on with it, or leave it alone for 30 s"
        }
        return message.asSentence + advice
    }

    /// The advice for this refusal; empty if there is none.
    private var advice: String {
        switch code {
        case .locked where open == true: ": 'rooster stop' begins them"
        case .locked: ": 'rooster unlock \(alarm.map(\.shellWord) ?? "ALARM")' begins them"
        case .nothingAsked:
            ": 'rooster stop' stops what rings or begins its challenge, 'rooster unlock ALARM' any other"
        case .noSuchCode: ": 'rooster code list' shows all"
        case .enrolledAlready: ": use it by that name, or 'rooster code forget' that one first"
        case .noCamera: ": its configuration says 'use = false' of the camera"
        case .noTagReader: ": 'tags: { use = true; };' in its configuration sets it up with one"
        case .scanning: ": 'rooster status' says what for; 'rooster code cancel' ends an enrolment or a test"
        case .notKept: "; nothing was changed, and alarms ring all the same"
        case .notSimulated: ": start it with 'roosterd --simulate'"
        default: ""
        }
    }
}

extension AlarmLabel {
    fileprivate var shellWord: String { label.isEmpty ? String(alarm.prefix(8)).inOneLine : label.asWord }
}

extension HealthReport {
    var name: String {
        switch part {
        case .steps: "step sensor"
        case .tags: "tag reader"
        default: part.rawValue
        }
    }

    /// The fault of the part, with advice.
    var advised: String {
        let advice: [String] = causes.compactMap { cause in
            switch cause.code {
            case .unready: "'rooster speakers' says what to do"
            case .clockUnknown: "'timedatectl' shows whether it does"
            case .allOff: "'rooster settings --enabled on' lets them ring"
            case .noRing: "'rooster list' shows why, 'rooster add 7:00' makes one"
            default: nil
            }
        }
        return advice.isEmpty ? text : "\(text): \(advice.joined(separator: ", "))"
    }
}
