// The buttons at the bed.

import Text

/// A button at the bed. It silences a ring, and a pattern challenge is a sequence of presses of both
/// buttons.
package enum Button: String, Choice, Hashable, Sendable {
    case snooze, stop
}
