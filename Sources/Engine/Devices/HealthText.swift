// The texts of bad health, with the remedy.

extension Health {
    /// The causes and their remedies; empty if the part is in order.
    package var text: String { causes.map(\.text).joined(separator: "; ") }
}

extension Cause {
    fileprivate var text: String {
        let reason = (reasons ?? []).joined(separator: "; ")
        let failures = (speakers ?? []).map(\.text)
        let failed = failures.isEmpty ? "there is no sound card: plug one in" : failures.joined(separator: "; ")
        let button = button?.rawValue ?? ""
        return switch code {
        case .silent: "Nothing is heard: \(failed)"
        case .unready: "No speaker can be heard: \(failed)"
        case .buzzerOnly: "Only the buzzer is heard: \(failed)"
        case .replaced:
            ((missing ?? []).map { "there is no speaker \($0.debugDescription)" } + failures)
                .joined(separator: "; ") + ": \(replacement ?? "") takes the place"
        case .mixer, .sound, .camera, .wiring, .codesUnmet, .described: reason
        case .soundsUnread: "The disk with the sounds does not answer: another takes their place"
        case .diskRefuses: "The disk takes nothing (\(reason)): a restart would not know what happens from now on"
        case .diskWears: "\(reason): look for a new disk or card while this one still works"
        case .diskHangs: "The disk does not answer: nothing more can be kept until it does"
        case .clockUnknown:
            "Nobody knows whether the time is right: connect it to a network that it can take its time from"
        case .cameraBroken: "The camera gives no pictures: \(reason). Until it does, five sums take a code's place"
        case .cameraPulledOut:
            "The camera is gone: plug it in again. Without it an alarm rings for ten minutes before ten sums take the "
                + "code's place"
        case .unusable: "It cannot be used: \(reason)"
        case .buttonStuck:
            "The \(button) button has been down for minutes: see whether it or its wire is stuck"
        case .buttonLoose:
            "The \(button) button goes down and up without end, and is not listened to: see to its wire"
        case .noRing: "No alarm is going to ring"
        case .allOff: "All alarms are switched off"
        }
    }
}

extension SpeakerFailure {
    fileprivate var text: String { reason.map { "\(name): \($0)" } ?? "\(name) has not played yet" }
}
