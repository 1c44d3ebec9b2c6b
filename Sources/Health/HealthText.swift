// The texts of bad health, with the remedy.

import Alarms
import Text

extension Part {
    /// The name that owners read.
    package var name: String {
        switch self {
        case .steps: "step sensor"
        case .tags: "tag reader"
        default: rawValue
        }
    }

    /// Text such as "the camera does not work".
    package var faultText: String { "the \(name) \(self == .buttons ? "do" : "does") not work" }
}

extension Health {
    /// The causes and their remedies; empty if the part is in order.
    package var text: String {
        let isReplaced = pulledOut == nil && causes.contains { $0.code == .cameraBroken }
        let replacement = isReplaced ? ["Until it works, five sums replace a code, and the history says so"] : []
        return (causes.map(\.text.capitalisedFirst) + replacement).asSentences
    }
}

extension Cause {
    fileprivate var text: String {
        let reason = (reasons ?? []).joined(separator: ", ")
        let failures = (speakers ?? []).map(\.text)
        let failed = failures.isEmpty ? "there is no sound card. Plug one in." : failures.joined(separator: ", ")
        let button = button?.rawValue ?? ""
        return switch code {
        case .silent: "No speaker plays: \(failed)"
        case .unready: "No speaker works: \(failed)"
        case .buzzerOnly: "Only the buzzer sounds: \(failed)"
        case .replaced:
            "\(replacement ?? "Another speaker") plays instead of "
                + ((missing ?? []).map { "\($0.debugDescription) (not found)" } + failures).joined(separator: " and ")
        case .mixer, .sound, .camera, .wiring, .codesUnmet, .unusable, .challengesReplaced, .described:
            (reasons ?? []).asSentences
        case .soundsUnread: "The disk with the sounds does not answer. A built-in sound plays instead."
        case .diskRefuses: "Nothing can be saved (\(reason)). A restart would forget everything from now on."
        case .diskWears: "The disk is failing (\(reason)). Replace it while it still works."
        case .diskHangs: "The disk does not answer. Nothing can be saved until it does."
        case .clockUnknown:
            "The clock may be wrong: connect this machine to a network"
        case .cameraBroken where reason.hasPrefix("no camera is plugged in"): "No camera is plugged in"
        case .cameraBroken: "The camera gives no pictures (\(reason))"
        case .cameraPulledOut: "The camera gives no pictures: check its plug"
        case .pulledOut:
            "Check its plug and wires: without it, an alarm rings for ten minutes before ten sums replace the challenge"
        case .buttonStuck:
            "The \(button) button has been down for minutes: check the button and its wire"
        case .buttonLoose:
            "The \(button) button goes down and up without end, and is ignored: check its wire"
        case .noRing: "No alarm is going to ring"
        case .allOff: "All alarms are switched off"
        }
    }
}

extension SpeakerFailure {
    fileprivate var text: String { "\(name) (\(reason ?? "not tested yet"))" }
}
