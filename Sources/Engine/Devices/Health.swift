// How a part is that ringing needs, and why.

/// Something that ringing needs, in the order in which it is told.
public enum Part: String, Hashable, Sendable, CaseIterable {
    case speaker, camera, codes, buttons, keypad, steps, tags, lamps, disk, clock
}

/// How a part is: all that is wrong with it.
public struct Health: Hashable, Sendable {
    /// How bad it is.
    public enum Grade: String, Hashable, Sendable {
        case ok, warning, broken
    }

    /// What is wrong; empty where nothing is.
    public var causes: [Cause]

    /// Wrong in these ways.
    public init(_ causes: Cause...) { self.causes = causes }

    /// In order.
    public static let ok = Health()

    /// How bad the worst of it is.
    public var grade: Grade {
        if causes.contains(where: { $0.grade == .broken }) { return .broken }
        return causes.contains { $0.grade == .warning } ? .warning : .ok
    }
}

/// Something that is wrong with a part, with its figures. Words are made of it where it is read.
public enum Cause: Hashable, Sendable {
    /// Nothing is heard of a ring, or would be: what each speaker has failed for.
    case silent([SpeakerFailure]), unready([SpeakerFailure])
    /// Only the buzzer is heard.
    case buzzerOnly([SpeakerFailure])
    /// A speaker takes the place of some that there are not, and of some that have failed.
    case replaced(by: String, missing: [String], failures: [SpeakerFailure])
    /// A mixer is not as loud as it should be, as its card says it; a sound cannot be played, for a reason.
    case mixer(String), sound(String)
    /// The disk with the sounds does not answer.
    case soundsUnread
    /// The disk takes nothing more; it has failed as one does that wears out; it does not answer.
    case diskRefuses(reason: String), diskWears(failure: String), diskHangs
    /// Nobody knows whether the time is right.
    case clockUnknown
    /// The camera gives no frames, for a reason; it was there, and went while an alarm was locked or rang.
    case cameraBroken(reason: String), cameraPulledOut
    /// The camera reads codes, and something about it is not as it could be.
    case camera(String)
    /// It cannot be used, or may not work as it is wired, for a reason.
    case unusable(reason: String), wiring(String)
    /// A button has been down for minutes; it goes down and up without end.
    case buttonStuck(Button), buttonLoose(Button)
    /// Alarms cannot be stopped by the codes and tags that are enrolled.
    case codesUnmet([String])
    /// In somebody's words.
    case told(Health.Grade, String)

    /// How bad it is.
    public var grade: Health.Grade {
        switch self {
        case .silent, .unready, .diskRefuses, .diskHangs, .codesUnmet, .cameraBroken, .cameraPulledOut: .broken
        // Without a stop button that works, a challenge has to begin by itself.
        case .unusable, .buttonStuck(.stop), .buttonLoose(.stop): .broken
        case .wiring, .buttonStuck, .buttonLoose: .warning
        case .camera, .buzzerOnly, .replaced, .mixer, .sound, .soundsUnread, .diskWears, .clockUnknown: .warning
        case .told(let grade, _): grade
        }
    }
}

/// Why a speaker is not heard.
public struct SpeakerFailure: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// Why; nil where it has not been tried.
    public var reason: String?

    /// A speaker that is not heard.
    public init(name: String, reason: String?) {
        (self.name, self.reason) = (name, reason)
    }
}
