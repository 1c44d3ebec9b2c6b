// The owner's next task in a challenge, its progress, and the result of an action.

import Alarms

/// The owner's next task in a challenge.
package enum Assignment: Hashable, Sendable {
    case code(labels: [String])
    /// A sum to solve, and the number of sums left, including this one.
    case sum(Sum, left: Int)
    case steps(left: Int)
    /// The buttons to press in this order.
    case pattern([Button])
    case tag(labels: [String])
    /// A challenge that this version of Rooster does not have. Another one replaces it at once.
    case impossible

    package var kind: Challenge.Kind? {
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

/// The progress of a challenge's task, as far as the task has it.
package struct TaskProgress: Hashable, Sendable {
    /// The number of sums, steps or presses.
    package var total: Int?
    package var pressedCount: Int?
    /// The time for each sum, and the time until the present one is replaced.
    package var limitSeconds: Int?
    package var leftMilliseconds: Int?
}

package enum Progress: Hashable {
    /// The action does not belong to this challenge.
    case nothing
    /// One of several steps was done.
    case further
    case wrong
    /// The answer is right for the previous sum, whose time has just run out.
    case late
    /// Too many answers were wrong. None is accepted for this number of milliseconds.
    case lockedOut(Int, isNew: Bool)
    case done
}
