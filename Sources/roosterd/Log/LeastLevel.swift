// What the configuration says is worth a line, for whoever writes the lines.

import Configuration
import Service

extension LogLevel {
    /// The level of the least that is written.
    var least: LogLine.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        }
    }
}
