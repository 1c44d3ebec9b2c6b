// What opening a journal found: what can be wrong with it, and where.

/// Something in a journal's file that is not as it was written, or is not there at all.
package struct Damage: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        /// The first sector cannot be read for what it is.
        case header
        /// These records are missing, though later ones prove that they were durable.
        case missing(ClosedRange<UInt64>)
        /// So many of the records that the file begins with are missing.
        case missingFromBase(count: Int)
        /// The file ends where records should still come: nobody can say how many.
        case cutShort
        case unreadable(DiskError)
        /// So much in it looks like records and is none that not all of it was looked at.
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
        case .header: "\(file): its first sector is damaged"
        case .missing(let numbers) where numbers.count == 1: "\(place): record \(numbers.lowerBound) is missing"
        case .missing(let numbers): "\(place): records \(numbers.lowerBound) to \(numbers.upperBound) are missing"
        case .missingFromBase(let count): "\(place): \(count) of the records that the file begins with are missing"
        case .cutShort:
            "\(file): it ends at byte \(bytes.lowerBound), before its last records; how many there were is lost"
        case .unreadable(let error): "\(place): \(error)"
        case .garbage: "\(file): it is full of garbage that looks like records: there may be more in it than was found"
        case .nothingLeft: "\(file) is all there is: the rest of the journal is gone"
        }
    }
}

/// What comes behind the last append that is there as a whole: the rest of one that was cut off before it was
/// acknowledged, or, which looks the same, that was damaged since.
package struct TornTail: Hashable, Sendable {
    package let file: String
    package let bytes: Range<Int>
    /// How many whole records are in it. They do not count: an append is there as a whole or not at all.
    package let recordCount: Int
}

extension TornTail: CustomStringConvertible {
    package var description: String {
        let records = recordCount == 1 ? "1 whole record in it does not" : "\(recordCount) whole records in it do not"
        let kept = recordCount == 0 ? "" : "; \(records) count"
        return "\(file), bytes \(bytes.lowerBound) to \(bytes.upperBound): the rest of an append that was cut off "
            + "before it was acknowledged, or that was damaged since\(kept)"
    }
}

/// What a journal's directory was like when it was opened, and what was done about it.
package struct RecoveryReport: Hashable, Sendable {
    package internal(set) var isFirstStart = false
    package internal(set) var recordCount = 0
    /// The number of the newest record; nothing where there is none.
    package internal(set) var lastSequence: UInt64?
    /// What comes behind the last whole append. It is not part of the journal any more; if there were whole records in it, it
    /// was kept in a file of its own, if there was room.
    package internal(set) var tornTail: TornTail?
    /// What is damaged, and what is missing because of it.
    package internal(set) var damage: [Damage] = []
    /// Files that were ever set aside for a person to look at: damaged ones, and the last torn tail with whole records.
    package internal(set) var setAside: [String] = []
    /// Why nothing can be appended for now. Each append tries again.
    package internal(set) var cannotWrite: DiskError?

    /// Whether anything that had been acknowledged is missing, or may be.
    package var isDamaged: Bool { !damage.isEmpty }
}
