// What the configuration file decides: the machine that Rooster is in.

import Devices
import Service

/// The options of `rooster.conf`, and their defaults.
///
/// What the owner decides from day to day, as his alarms and his zone, is in the journal: nothing of it stands here.
struct Configuration: Hashable, Sendable {
    /// What is heard, and where.
    struct Speaker: Hashable, Sendable {
        /// Which cards are better than which.
        var order = RouteOrder.standard
        /// How loud a card's mixer is set for a ring; nothing where it is to be left alone.
        var mixerDecibels: Double? = 0
        /// The directory of the owner's own sounds.
        var sounds = "/var/lib/rooster/sounds"
    }

    /// Who may command Rooster, and how.
    struct Control: Hashable, Sendable {
        /// The socket that `rooster` talks to.
        var socket = "/run/rooster/control.sock"
        /// The group whose members may use it.
        var group = "rooster"
    }

    /// What is written down of what happens.
    struct Log: Hashable, Sendable {
        /// What is worth a line.
        var level = LogLevel.info
    }

    var speaker = Speaker()
    var control = Control()
    var log = Log()
}

/// What is worth a line in the log, by its name in the configuration; each leaves more out than the one before.
enum LogLevel: String, Hashable, Sendable, CaseIterable {
    case debug, info, warning

    /// The level of the least that is written.
    var least: LogLine.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        }
    }
}
