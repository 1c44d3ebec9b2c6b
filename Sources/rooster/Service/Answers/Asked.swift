// What is asked of the sleeper now, and what to do about it.

import JSON
import Text

/// What a challenge asks for.
enum Asked: Hashable {
    case sum(String, left: Int?, lockedOutSeconds: Int = 0)
    /// One of the codes or tags of these labels is to be shown.
    case code(labels: [String])
    case tag(labels: [String])
    case steps(left: Int?)
    case pattern(buttons: [String])
    /// The device has nothing to meet it with.
    case impossible
    /// Something that this rooster does not know.
    case other(String)

    init?(_ fields: inout Fields) {
        guard let kind = fields.text("kind") else { return nil }
        switch kind {
        case "math":
            self = .sum(
                fields.text("sum") ?? "", left: fields.integer("left"),
                lockedOutSeconds: fields.integer("lockedOutSeconds") ?? 0)
        case "qr": self = .code(labels: fields.texts("labels") ?? [])
        case "tag": self = .tag(labels: fields.texts("labels") ?? [])
        case "steps": self = .steps(left: fields.integer("left"))
        case "pattern": self = .pattern(buttons: fields.texts("buttons") ?? [])
        case "impossible": self = .impossible
        default: self = .other(kind)
        }
    }

    static func read(_ name: String, _ fields: inout Fields) -> Asked? {
        fields.object(name) { Asked(&$0) } ?? nil
    }

    /// What to do, as in "Solve: 12 + 30 — rooster answer N (2 left)".
    var words: String {
        switch self {
        case .sum(let sum, let left, 0): "Solve: \(sum.inOneLine) — rooster answer N\(Asked.rest(left))"
        case .sum(let sum, let left, let seconds):
            "Wait \(seconds) s, then solve: \(sum.inOneLine) — rooster answer N\(Asked.rest(left))"
        case .code(let labels): "Show the code \(Asked.list(labels)) to the camera"
        case .tag(let labels): "Hold the tag \(Asked.list(labels)) to the reader"
        case .steps(let left): "Walk\(left.map { ": \($0) \($0 == 1 ? "step" : "steps") to go" } ?? "")"
        case .pattern(let buttons):
            "Press the buttons in this order: \(buttons.map(\.inOneLine).joined(separator: ", "))"
        case .impossible: "This device has nothing to meet the challenge with"
        case .other(let kind): "Do the challenge \(kind.quoted)"
        }
    }

    /// Whether the camera has to see something.
    var needsCamera: Bool { if case .code = self { true } else { false } }

    /// The sum at hand is one of these.
    private static func rest(_ left: Int?) -> String {
        guard let left, left > 1 else { return "" }
        return " (\(left) left)"
    }

    private static func list(_ labels: [String]) -> String {
        labels.isEmpty ? "of the alarm" : labels.map(\.quoted).joined(separator: " or ")
    }
}
