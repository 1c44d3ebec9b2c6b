// Health in words that say what to do.

import Engine

extension Health {
    /// What is wrong and what to do about it; empty where the part is in order.
    package var words: String { causes.map(\.words).joined(separator: "; ") }
}

extension Cause {
    fileprivate var words: String {
        switch self {
        case .silent(let failures): return "Nothing is heard: \(failures.words)"
        case .unready(let failures): return "No speaker can be heard: \(failures.words)"
        case .buzzerOnly(let failures): return "Only the buzzer is heard: \(failures.words)"
        case .replaced(let name, let missing, let failures):
            let others = missing.map { "there is no speaker \($0.debugDescription)" } + failures.map(\.words)
            return "\(others.joined(separator: "; ")): \(name) takes the place"
        case .mixer(let words), .sound(let words), .described(_, let words): return words
        case .soundsUnread: return "The disk with the sounds does not answer: another takes their place"
        case .diskRefuses(let reason):
            return "The disk takes nothing (\(reason)): a restart would not know what happens from now on"
        case .diskWears(let failure): return "\(failure): look for a new disk or card while this one still works"
        case .diskHangs: return "The disk does not answer: nothing more can be kept until it does"
        case .clockUnknown:
            return "Nobody knows whether the time is right: connect it to a network that it can take its time from"
        case .cameraBroken(let reason):
            return "The camera gives no pictures: \(reason). Until it does, five sums take a code's place"
        case .cameraPulledOut:
            return
                "The camera is gone: plug it in again. Without it an alarm rings for ten minutes before ten sums take the "
                + "code's place"
        case .camera(let words): return words
        case .unusable(let reason): return "It cannot be used: \(reason)"
        case .wiring(let words): return words
        case .buttonStuck(let button):
            return "The \(button.rawValue) button has been down for minutes: see whether it or its wire is stuck"
        case .buttonLoose(let button):
            return "The \(button.rawValue) button goes down and up without end, and is not listened to: see to its wire"
        case .codesUnmet(let reasons): return reasons.joined(separator: "; ")
        }
    }
}

extension SpeakerFailure {
    fileprivate var words: String { reason.map { "\(name): \($0)" } ?? "\(name) has not played yet" }
}

extension [SpeakerFailure] {
    fileprivate var words: String {
        isEmpty ? "there is no sound card: plug one in" : map(\.words).joined(separator: "; ")
    }
}
