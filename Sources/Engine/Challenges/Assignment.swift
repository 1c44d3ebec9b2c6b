// What somebody who wants an alarm to end has to do now.

import Alarms

/// The part of a challenge that is next.
public enum Assignment: Hashable, Sendable {
    /// Show one of the codes of these names to the camera.
    case code(labels: [String])
    /// Solve this sum; so many are left, this one included.
    case sum(Sum, left: Int)
    /// Walk so many steps more.
    case steps(left: Int)
    /// Press the buttons in this order, from the first one on.
    case pattern([Button])
    /// Hold one of the tags of these names to the reader.
    case tag(labels: [String])
    /// Nothing that this Rooster knows how to do: only the emergency way out is left.
    case impossible

    /// What kind of challenge it is part of.
    public var kind: Challenge.Kind? {
        switch self {
        case .code: .qr
        case .sum: .math
        case .steps: .steps
        case .pattern: .pattern
        case .tag: .tag
        case .impossible: nil
        }
    }
}

/// What became of something that was done for a challenge.
enum Progress: Hashable {
    /// It has nothing to do with this challenge.
    case nothing
    /// One of several was done.
    case further
    /// It was wrong.
    case wrong
    /// It was right for the sum whose time has just run out.
    case late
    /// No answer is taken for so many milliseconds.
    case lockedOut(Int)
    /// The challenge is completed.
    case done
}
