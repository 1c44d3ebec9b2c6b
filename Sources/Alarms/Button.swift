// The buttons at the bed.

import Text

/// A button: it silences a ring, and a pattern challenge is made of presses of both.
package enum Button: String, Choice, Hashable, Sendable {
    case snooze, stop
}
