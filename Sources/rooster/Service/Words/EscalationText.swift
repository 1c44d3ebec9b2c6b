// The text of an escalation: its steps, as their owner types and reads them.

import Alarms
import JSON

enum EscalationText {
    static let expected = "steps such as 5min=square520 or 2min=bells01,10min=horn01, none, or usual"

    /// Parses the steps; nil for any other text.
    static func read(_ text: String) -> JSON? {
        switch text {
        case "none": return .array([])
        case "usual": return .null
        default: break
        }
        var steps: [JSON] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, let seconds = LengthText.seconds(sides[0], bare: 60) else { return nil }
            steps.append(.object([.init("after", .number(seconds)), .init("sound", .string(sides[1]))]))
        }
        return .array(steps)
    }

    /// Returns the steps as a sentence: "square520 after 5 min".
    static func text(_ steps: [EscalationStep]) -> String {
        guard !steps.isEmpty else { return "never" }
        return steps.map { "\($0.sound.inOneLine) after \(TimeText.length($0.afterSeconds))" }.joined(separator: ", ")
    }
}
