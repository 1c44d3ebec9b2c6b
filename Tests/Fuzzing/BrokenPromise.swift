// The failure of a fuzz target: the reader did not crash, but its result was wrong.

/// A promise that an input broke.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// The promise, and the values that broke it.
    public let description: String
}

/// Throws if the condition is false.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws(BrokenPromise) {
    guard holds else { throw BrokenPromise(description: what()) }
}

/// Checks that a message for the owner is one non-empty line of limited length.
func promiseReadable(_ message: String, bytesMax: Int = 1500) throws(BrokenPromise) {
    try promise(!message.isEmpty, "a message says nothing")
    try promise(message.utf8.count <= bytesMax, "a message has \(message.utf8.count) bytes: \(message.prefix(200))")
    try promise(
        !message.unicodeScalars.contains { $0.properties.isControlOrLineEnd },
        "a message has control characters or line ends in it: \(message.debugDescription)")
}

extension Unicode.Scalar.Properties {
    /// True if the character breaks a line, moves a terminal's cursor or reverses the text.
    fileprivate var isControlOrLineEnd: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: isBidiControl
        }
    }
}
