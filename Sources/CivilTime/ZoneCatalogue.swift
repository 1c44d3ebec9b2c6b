// The source of zones: the system's tzdata, which package updates keep current.

import Glibc
import Text

/// The zones of one tzdata directory. Each is read at its first use and cached in this value.
public struct ZoneCatalogue: Sendable {
    /// The directory of the zone files.
    public let directory: String
    /// The path of the machine's own zone file, which also serves as that zone's name.
    let localtime: String

    private var zones: [String: Zone] = [:]
    /// True if `zones` is complete, so that no file is ever read.
    private var isClosed = false

    /// The largest file that is read. No zone file comes near this size.
    private static let fileBytesMax = 1 << 20

    /// Creates the catalogue of a directory. `etc` has the machine's `localtime`. Reads nothing yet.
    public init(directory: String = ZoneCatalogue.systemDirectory, etc: String = "/etc") {
        self.directory = directory
        localtime = "\(etc)/localtime"
    }

    /// Creates a catalogue of these zones only. Without files, its results are the same on every machine.
    package init(closed zones: [Zone]) {
        self.init(directory: "")
        self.zones = Dictionary(zones.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        isClosed = true
    }

    /// `TZDIR` if the environment has it, otherwise `/usr/share/zoneinfo`.
    public static var systemDirectory: String {
        guard let directory = getenv("TZDIR"), directory.pointee != 0 else { return "/usr/share/zoneinfo" }
        return String(cString: directory)
    }

    /// Returns the zone with this name, such as `Europe/Berlin`. The name may be the path in `localtime`.
    public mutating func zone(named name: String) throws(ZoneError) -> Zone {
        if let known = zones[name] { return known }
        let isPath = name == localtime
        guard isPath || ZoneCatalogue.isZoneName(name) else { throw .notAName(name) }
        guard !isClosed else { throw .notFound(name, directory: directory) }
        let bytes: [UInt8]
        do {
            bytes = try contents(ofFileAt: isPath ? name : "\(directory)/\(name)", bytesMax: ZoneCatalogue.fileBytesMax)
        } catch {
            throw error.isAbsence
                ? .notFound(name, directory: directory) : .unreadable(name, reason: error.description)
        }
        let zone = try Zone(name: name, tzif: bytes)
        zones[name] = zone
        return zone
    }

    /// Returns the zone with a name that an owner chose. The path of `localtime` is refused, because it
    /// means another zone on another machine.
    public mutating func zone(chosen name: String) throws(ZoneError) -> Zone {
        guard ZoneCatalogue.isZoneName(name) else { throw .notAName(name) }
        return try zone(named: name)
    }

    /// Drops the cached zones, so that each file is read again at its next use.
    public mutating func readAnew() {
        if !isClosed { zones = [:] }
    }

    /// Returns whether the text could name a zone: letters, digits, `_`, `+` and `-` between slashes.
    /// Without dots, a name cannot lead out of the directory.
    static func isZoneName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= 100
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        switch byte {
                        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x5F, 0x2B, 0x2D: true
                        default: false
                        }
                    }
            }
    }
}

/// The reason why a zone cannot be used.
public enum ZoneError: Error, Equatable, Sendable {
    case notAName(String)
    /// The system's tzdata has no zone of that name.
    case notFound(String, directory: String)
    /// The file exists but could not be read, for the reason that the system gives.
    case unreadable(String, reason: String)
    /// The file is not valid TZif data.
    case malformed(String, what: String)
}

extension ZoneError: CustomStringConvertible {
    /// One line, for the owner.
    public var description: String {
        switch self {
        case .notAName(let name):
            "\(name.quoted) is not the name of a time zone such as Europe/Berlin"
        case .notFound(let name, let directory):
            // A closed catalogue has no directory to name.
            "there is no time zone \(name.quoted)\(directory.isEmpty ? "" : " in \(directory)") "
                + "(names look like Europe/Berlin)"
        case .unreadable(let name, let reason):
            "the data of the time zone \"\(name)\" cannot be read (\(reason))"
        case .malformed(let name, let what):
            "the data of the time zone \"\(name)\" is damaged (\(what))"
        }
    }
}
