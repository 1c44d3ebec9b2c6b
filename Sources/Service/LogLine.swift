// The log.

/// One line of the log.
public struct LogLine: Hashable, Sendable {
    /// How much it matters.
    public enum Level: Int, Hashable, Sendable, Comparable {
        case error = 3
        case warning = 4
        case info = 6
        case debug = 7

        /// What matters more comes first.
        public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }
    }

    /// How much it matters.
    public var level: Level
    /// What happened.
    public var words: String
    /// Fields for scripts, by name.
    public var fields: [String: String]

    /// A line.
    public init(_ level: Level, _ words: String, _ fields: [String: String] = [:]) {
        self.level = level
        self.words = words
        self.fields = fields
    }
}

/// Where lines go.
public typealias Log = @Sendable (LogLine) -> Void
