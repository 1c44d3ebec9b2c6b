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
    func text(_ names: OptionNames? = nil) -> String {
        guard problems.isEmpty || code == .locked else {
            return problems.map { (names?.text($0) ?? "\($0)").asSentence }.joined(separator: "\nrooster: ")
        }
        if code == .validating, let seconds = status?.foremost?.asked?.lockedOutSeconds, seconds > 0 {
            return "Too many wrong answers: wait \(seconds) s"
        }
        return sentences(message.asSentence, advice)
    }

    /// The advice for this refusal, as a sentence; nil if there is none.
    private var advice: String? {
        switch code {
        case .locked where asks != nil: "'rooster awake' or any button answers it"
        case .locked where open == true: "'rooster stop' begins them"
        case .locked: "'rooster unlock \(alarm.map(\.shellWord) ?? "ALARM")' begins them"
        case .cannotPostpone: "'rooster edit \(alarm.map(\.shellWord) ?? "ALARM") --postpone' allows it"
        case .checkAhead: "'rooster status' shows when"
        case .nothingAsked: "'rooster status' shows what to do"
        case .noSuchCode: "'rooster code list' shows all"
        case .enrolledAlready: "Use that label, or first delete it with 'rooster code forget'"
        case .noSuchSound: "'rooster sound list' shows all"
        case .noCamera: "The configuration says 'use = false' for the camera"
        case .noTagReader: "'tags: { use = true; };' in /etc/rooster/rooster.conf switches one on"
        case .scanning: "'rooster status' shows which, 'rooster code cancel' ends it"
        case .notKept:
            sentences(
                "Nothing was changed, and alarms ring all the same",
                message.contains("disk error") ? "Try again, and replace the disk if it fails again" : nil)
        case .notSimulated: "Start one with 'roosterd --simulate'"
        default: nil
        }
    }
}

extension AlarmLabel {
    fileprivate var shellWord: String { label.isEmpty ? String(alarm.prefix(8)).inOneLine : label.asWord }
}

extension HealthReport {
    /// The fault of the part, with advice.
    var advised: String {
        let advice: [String] = causes.compactMap { cause in
            switch cause.code {
            case .unready: "'rooster speakers' shows each"
            case .clockUnknown: "'timedatectl' shows whether it is synchronised"
            case .allOff: Outlook.enableAll
            case .noRing: "'rooster list' shows why, 'rooster add 7:00' adds one"
            default: nil
            }
        }
        return sentences(text, advice.joined(separator: ", "))
    }
}
