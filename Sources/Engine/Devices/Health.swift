// The health of the parts that ringing needs, with its causes.

import Alarms

/// A part that ringing needs, in the order in which they are listed.
package enum Part: String, Hashable, Sendable, CaseIterable {
    case speaker, camera, codes, buttons, keypad, steps, tags, lamps, disk, clock
}

/// The health of a part: a list of causes.
package struct Health: Hashable, Sendable {
    package enum Grade: String, Hashable, Sendable {
        case ok, warning, broken
    }

    /// What is wrong; empty where the part is in order.
    package var causes: [Cause]

    package init(_ causes: Cause...) { self.causes = causes }

    package static let ok = Health()

    /// The grade of the worst cause.
    package var grade: Grade {
        if causes.contains(where: { $0.grade == .broken }) { return .broken }
        return causes.contains { $0.grade == .warning } ? .warning : .ok
    }
}

/// A cause of bad health, with its figures. It is put into words only where it is shown.
package enum Cause: Hashable, Sendable {
    /// No speaker is heard while it rings, or none would be: what each speaker has failed for.
    case silent([SpeakerFailure]), unready([SpeakerFailure])
    case buzzerOnly([SpeakerFailure])
    /// A speaker is used instead of others that are missing or have failed.
    case replaced(by: String, missing: [String], failures: [SpeakerFailure])
    /// A mixer is not as loud as it should be, as its card says; a sound cannot be played, for this reason.
    case mixer(String), sound(String)
    /// The disk with the sounds does not answer.
    case soundsUnread
    /// The disk refuses writes; it has failed in a way that is a sign of wear; it does not answer.
    case diskRefuses(reason: String), diskWears(failure: String), diskHangs
    case clockUnknown
    /// The camera gives no frames, for this reason; the camera was pulled out while an alarm was locked or rang.
    case cameraBroken(reason: String), cameraPulledOut
    /// The camera reads codes, with this limitation.
    case camera(String)
    /// The part cannot be used, for this reason; its wiring may be wrong, for this reason.
    case unusable(reason: String), wiring(String)
    /// A button has been down for minutes; a button's wire is loose.
    case buttonStuck(Button), buttonLoose(Button)
    /// Alarms cannot be stopped by the codes and tags that are enrolled.
    case codesUnmet([String])
    /// A grade with words as they were given: an older journal's.
    case described(Health.Grade, String)

    package var grade: Health.Grade {
        switch self {
        case .silent, .unready, .diskRefuses, .diskHangs, .codesUnmet, .cameraBroken, .cameraPulledOut: .broken
        // Without a stop button that works, a challenge has to begin by itself.
        case .unusable, .buttonStuck(.stop), .buttonLoose(.stop): .broken
        case .wiring, .buttonStuck, .buttonLoose: .warning
        case .camera, .buzzerOnly, .replaced, .mixer, .sound, .soundsUnread, .diskWears, .clockUnknown: .warning
        case .described(let grade, _): grade
        }
    }
}

package struct SpeakerFailure: Hashable, Sendable {
    package var name: String
    /// Why it failed; nil where it has not been tried.
    package var reason: String?

    package init(name: String, reason: String?) {
        (self.name, self.reason) = (name, reason)
    }
}
