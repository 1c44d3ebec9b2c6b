// Refusals in words, for whoever stands before the device or looks at a screen.

import Alarms

extension Refusal: CustomStringConvertible {
    /// What is wrong and what to do about it, in one line.
    public var description: String {
        switch self {
        case .noSuchAlarm(let id): "There is no alarm \"\(id)\""
        case .noSuchCode(let label): "There is no code \"\(label)\""
        case .problems(let problems): problems.map(\.description).joined(separator: "; ")
        case .locked(let name, _):
            "\(name.label.isEmpty ? "The alarm" : "\"\(name.label)\"") is locked until it has rung: complete its challenges first"
        case .nothingRings: "Nothing rings"
        case .ringing: "Not while an alarm rings or is snoozed"
        case .noSnoozeLeft(0): "This alarm cannot be snoozed"
        case .noSnoozeLeft(let max): "No snooze is left: \(max) of \(max) used"
        case .tooSoon: "Pressed twice: the first one counts"
        case .challengesOpen: "Complete all challenges to stop the alarm"
        case .challengeOpen(let kind): "Complete \(kind.name) challenge to continue"
        case .validating: "Challenge validation in progress"
        case .nothingAsked: "No sum is asked now"
        case .lockedOut(let seconds): "Too many wrong answers: wait \(seconds) s"
        case .noEmergencyExit: "The emergency way out is switched off"
        case .busy: "Too much is asked for at once: try again"
        case .tooMany(let what): "There are too many \(what)"
        case .notKept(let reason): "It could not be written down: \(reason)"
        }
    }
}

extension Challenge.Kind {
    /// The name that owners read.
    public var name: String {
        switch self {
        case .qr: "Code"
        case .math: "Math"
        case .steps: "Steps"
        case .pattern: "Pattern"
        case .tag: "Tag"
        case .roulette: "Roulette"
        }
    }
}
