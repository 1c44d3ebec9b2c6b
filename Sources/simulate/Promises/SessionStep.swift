// Where a session stands in the diagram of what may become of it.

import Engine

/// A step from one state to another, by their names in the diagram.
struct SessionStep: Hashable, CustomStringConvertible {
    let from: String
    let to: String

    var description: String { "\(from) → \(to)" }

    static func place(_ status: SessionStatus) -> String {
        switch status.state {
        case .heard: status.assignment == nil ? "ringing" : "challenge"
        case .waits: "waiting"
        case .snoozed: "snoozed"
        case .rests: "resting"
        }
    }
}
