// The findings of opening a journal.

/// A part of a journal's file that is missing or not as it was written.
package struct Damage: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The first sector is not a valid header.
        case header
        /// These records are missing, although later ones prove that they were durable.
        case missing(ClosedRange<UInt64>)
        /// This many records of the file's base are missing.
        case missingFromBase(count: Int)
        /// The file ends where records should follow. Their number is unknown.
        case cutShort
        case unreadable(DiskError)
        /// The file contains so much data resembling records that not all of it was examined.
        case garbage
        /// There are set-aside files but no journal.
        case nothingLeft
    }

    package let file: String
    package let bytes: Range<Int>
    package let finding: Finding
}

extension Damage: CustomStringConvertible {
    package var description: String {
        let place = "\(file), bytes \(bytes.lowerBound) to \(bytes.upperBound)"
        return switch finding {
        case .header: "\(file): the first sector is damaged"
        case .missing(let numbers) where numbers.count == 1: "\(place): record \(numbers.lowerBound) is missing"
        case .missing(let numbers): "\(place): records \(numbers.lowerBound) to \(numbers.upperBound) are missing"
        case .missingFromBase(let count): "\(place): \(count) of the file's first records are missing"
        case .cutShort:
            "\(file) ends at byte \(bytes.lowerBound), before its last records (their number is unknown)"
        case .unreadable(let error): "\(place): \(error)"
        case .garbage: "\(file) is so damaged that some of its records may not have been found"
        case .nothingLeft: "only \(file) is left: the rest of the journal is missing"
        }
    }
}

/// Bytes after the last complete append. Either the append was cut off before it was acknowledged, or it was
/// damaged later; the two cannot be distinguished.
package struct TornTail: Hashable, Sendable {
    package let file: String
    package let bytes: Range<Int>
    /// The number of complete records in it. They do not count, because their append is incomplete.
    package let recordCount: Int
}

extension TornTail: CustomStringConvertible {
    package var description: String {
        let records = recordCount == 1 ? "1 complete record in it is" : "\(recordCount) complete records in it are"
        let ignored = recordCount == 0 ? "" : " (\(records) not used)"
        return "\(file), bytes \(bytes.lowerBound) to \(bytes.upperBound): an append that was cut off before it was "
            + "acknowledged, or damaged later\(ignored)"
    }
}

/// The state of a journal's directory when it was opened, and the repairs.
package struct RecoveryReport: Hashable, Sendable {
    /// The bytes after the last complete append. They no longer belong to the journal. If they contain
    /// complete records, a copy is kept in another file if there is space.
    package internal(set) var tornTail: TornTail?
    /// The damage, and the records that are missing because of it.
    package internal(set) var damage: [Damage] = []
    /// All files kept for a person to look at: damaged segments, and the last torn tail with records.
    package internal(set) var setAside: [String] = []
    /// The error that prevents appends for now. Each append tries again.
    package internal(set) var cannotWrite: DiskError?

    /// True if an acknowledged record is missing, or may be.
    package var isDamaged: Bool { !damage.isEmpty }
}
