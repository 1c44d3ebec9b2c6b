// The buttons at the bed.

/// A button: it silences a ring, and a pattern challenge is made of presses of both.
package enum Button: String, Hashable, Sendable, CaseIterable {
    case snooze, stop
}
