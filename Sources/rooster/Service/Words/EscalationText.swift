// The text of an escalation: its steps, as their owner types and reads them.

import Alarms
import JSON

enum EscalationText {
    static let expected = "steps such as 5min=square520 or 2min=shaker,10min=horn01+shaker, none, or usual"
    private static let shaker = "shaker"

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
            let acts = sides[1].split(separator: "+", omittingEmptySubsequences: false).map(String.init)
            let sounds = acts.filter { $0 != shaker }
            guard sounds.count < 2, acts.count < 3 else { return nil }
            steps.append(
                .object(
                    [.init("after", .number(seconds))] + sounds.map { .init("sound", .string($0)) }
                        + (acts.contains(shaker) ? [.init("shaker", .bool(true))] : [])))
        }
        return .array(steps)
    }

    /// Returns the steps as a sentence: "square520 and shaker after 5 min".
    static func text(_ steps: [EscalationStep]) -> String {
        guard !steps.isEmpty else { return "never" }
        return steps.map { step in
            let acts = [step.sound?.inOneLine, step.shakes ? shaker : nil].compactMap(\.self).joined(separator: " and ")
            return "\(acts) after \(TimeText.length(step.afterSeconds))"
        }.joined(separator: ", ")
    }
}
