// Where zones come from: the system's tzdata, which the owner's updates keep right.

import Glibc
import Text

/// The zones of one tzdata directory. Each is read when it is first asked for and kept in this value.
public struct ZoneCatalogue: Sendable {
    /// Where the zone files are.
    public let directory: String
    /// The file that the machine's own clocks go by, which is a zone's name as well.
    let localtime: String

    private var zones: [String: Zone] = [:]
    /// Whether `zones` are all there are, whatever the directory has.
    private var isClosed = false

    /// No zone file is near this size; a larger one is not zone data.
    private static let fileBytesMax = 1 << 20

    /// The catalogue of a directory, by default the system's, on a machine that is set up in `etc`. Nothing is read yet.
    public init(directory: String = ZoneCatalogue.systemDirectory, etc: String = "/etc") {
        self.directory = directory
        localtime = "\(etc)/localtime"
    }

    /// A catalogue of these zones and no other, which never reads a file: its answers are the same on every machine.
    package init(closed zones: [Zone]) {
        self.init(directory: "")
        self.zones = Dictionary(zones.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        isClosed = true
    }

    /// `TZDIR` where the environment has one, else `/usr/share/zoneinfo`.
    public static var systemDirectory: String {
        guard let directory = getenv("TZDIR"), directory.pointee != 0 else { return "/usr/share/zoneinfo" }
        return String(cString: directory)
    }

    /// The zone called `name`, as in `Europe/Berlin`; or the machine's own, by the path of its file.
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

    /// The zone that an owner has chosen by its name. The path of the machine's own means another zone on another machine.
    public mutating func zone(chosen name: String) throws(ZoneError) -> Zone {
        guard ZoneCatalogue.isZoneName(name) else { throw .notAName(name) }
        return try zone(named: name)
    }

    /// Forgets what was read: from now on each file is read again when it is asked for.
    public mutating func readAnew() {
        if !isClosed { zones = [:] }
    }

    /// Whether the text could name a zone: parts of letters, digits, `_`, `+` and `-` between slashes. A name never
    /// leads out of the directory.
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
