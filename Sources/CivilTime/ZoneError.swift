// Why a zone could not be had, in words that name it.

import Text

/// A zone that cannot be used, and why.
public enum ZoneError: Error, Equatable, Sendable {
    case notAName(String)
    /// The system's tzdata has no zone of that name.
    case notFound(String, directory: String)
    /// The file is there but could not be read; the reason is the system's own.
    case unreadable(String, reason: String)
    /// The file is not the TZif data it should be.
    case malformed(String, what: String)
}

extension ZoneError: CustomStringConvertible {
    /// One line for the owner.
    public var description: String {
        switch self {
        case .notAName(let name):
            "\(name.quoted) is not the name of a time zone; they look like Europe/Berlin"
        case .notFound(let name, let directory):
            // Zones that are at hand already are in no directory.
            "there is no time zone \(name.quoted)\(directory.isEmpty ? "" : " in \(directory)"); "
                + "they are named like Europe/Berlin"
        case .unreadable(let name, let reason):
            "the data of the time zone \"\(name)\" cannot be read: \(reason)"
        case .malformed(let name, let what):
            "the data of the time zone \"\(name)\" is damaged: \(what)"
        }
    }
}
