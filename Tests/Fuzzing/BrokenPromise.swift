// What a fuzz target says when a reader did not crash but was wrong.

/// A promise that an input broke.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// Which, and by what.
    public let description: String
}

/// Holds something to be so.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) throws(BrokenPromise) {
    guard holds else { throw BrokenPromise(description: what()) }
}

/// A message for the owner says something, in one line, and is no longer than a person reads.
func promiseReadable(_ message: String, bytesMax: Int = 1500) throws(BrokenPromise) {
    try promise(!message.isEmpty, "a message says nothing")
    try promise(message.utf8.count <= bytesMax, "a message has \(message.utf8.count) bytes: \(message.prefix(200))")
    try promise(
        !message.unicodeScalars.contains { $0.properties.isControlOrLineEnd },
        "a message has control characters or line ends in it: \(message.debugDescription)")
}

extension Unicode.Scalar.Properties {
    /// What would break a line, move a terminal's cursor or turn the text around.
    fileprivate var isControlOrLineEnd: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: isBidiControl
        }
    }
}
