// The scan of a journal's directory, which changes nothing.

/// The content of a directory: the valid records, and all damage to them.
struct DirectoryScan {
    /// The numbers of the existing segments, in order.
    private(set) var segments: [UInt64] = []
    /// The numbers of files that never became segments.
    private(set) var unfinished: [UInt64] = []
    /// Files kept for a person to look at: set-aside segments and torn tails.
    private(set) var setAside: [SegmentName] = []
    private(set) var toSetAside: [UInt64] = []
    /// The newest segment. It decides which records are valid.
    private(set) var newest: SegmentContents?
    /// The segment that the newest one took over from; 0 for none.
    private(set) var follows: UInt64 = 0
    /// All valid records, in order.
    private(set) var records: [Record] = []
    private(set) var nextSequence: UInt64 = 1
    /// The bytes after the last complete append.
    private(set) var tornTail: TornTail?
    private(set) var damage: [Damage] = []

    init(_ disk: any Disk) throws(JournalError) {
        do throws(DiskError) {
            sort(try disk.names())
        } catch {
            throw .unreadable(error)
        }
        guard let number = segments.last else {
            if let left = setAside.last {
                damage.append(Damage(file: left.text, bytes: 0..<0, finding: .nothingLeft))
            }
            return
        }
        let newest = try SegmentContents.patiently(segment: number, on: disk)
        self.newest = newest
        // A damaged segment lacks this number only if the journal has no records.
        follows = newest.follows ?? segments.dropLast().last ?? 0
        damage = newest.damage
        tornTail = newest.tornTail
        if newest.isBaseWhole {
            records = newest.base + newest.later
        } else {
            try repair(newest, on: disk)
        }
        // Numbers of abandoned records are included, so that no number is used twice.
        nextSequence = max(nextSequence, newest.header?.firstLater ?? 1, newest.highestSequence + 1)
        let pending = newest.header?.setsAside
        try scanSuperfluous(pending: pending, on: disk)
        toSetAside = segments.filter { number in
            let name = SegmentName.segment(number).text
            return pending?.contains(number) ?? false || damage.contains { $0.file == name }
        }
        if !toSetAside.contains(number) {
            lastInUse = number
        } else if isStillASecondChance(newest, on: disk) {
            lastInUse = follows
        }
    }

    /// An unused number for a file.
    var unusedNumber: UInt64 {
        ([segments.last, unfinished.last, setAside.last?.number].compactMap(\.self).max() ?? 0) + 1
    }

    /// The segment that the next one follows: the newest, or its predecessor if that is set aside; 0 for
    /// none.
    private(set) var lastInUse: UInt64 = 0

    /// Returns true if the predecessor of a damaged segment can still serve as a second chance. It cannot if
    /// it has records that must stay hidden: the damaged segment's `supersedes` hides records that were
    /// refused, and the next segment's would not.
    private func isStillASecondChance(_ newest: SegmentContents, on disk: any Disk) -> Bool {
        guard segments.dropLast().contains(follows), !toSetAside.contains(follows) else { return false }
        do throws(JournalError) {
            let before = try SegmentContents.patiently(segment: follows, on: disk)
            // A segment without any readable record hides nothing either.
            let hidden = newest.supersedes ?? (newest.later.isEmpty ? .max : 0)
            return before.damage.isEmpty && before.highestSequence <= hidden
        } catch {
            // A segment that cannot be read now is not a second chance.
            return false
        }
    }

    private mutating func sort(_ names: [String]) {
        for name in names.compactMap(SegmentName.init) {
            switch name {
            case .segment(let number): segments.append(number)
            case .unfinished(let number): unfinished.append(number)
            case .setAside, .tail: setAside.append(name)
            }
        }
        segments.sort()
        unfinished.sort()
        setAside.sort { $0.number < $1.number }
    }

    /// Recovers the records of an incomplete base from the predecessor, whose own damage counts now.
    private mutating func repair(_ newest: SegmentContents, on disk: any Disk) throws(JournalError) {
        // Nothing precedes record 1, so no base can be missing.
        guard newest.later.first?.sequence != 1 else { return records = newest.later }
        let before = segments.dropLast().contains(follows) ? try readIfPossible(follows, on: disk) : nil
        // An unreadable journal must not be taken for empty.
        if let error = newest.unreadable, before.map({ $0.unreadable != nil }) ?? true { throw .unreadable(error) }
        let baseRepair = BaseRepair(newest, with: before)
        records = baseRepair.records
        damage += (before?.damage ?? []) + baseRepair.damage
        nextSequence = max(nextSequence, before?.highestSequence.advanced(by: 1) ?? 0)
    }

    /// Reads the other segments that must be checked before they are removed. These are the ones to be set
    /// aside, and one that was never appended to, because its name may not have been durable. A segment
    /// without a predecessor is left out of `setsAside`.
    ///
    /// - Parameter pending: the segments to be set aside; nil if unknown, which means any of them.
    private mutating func scanSuperfluous(pending: [UInt64]?, on disk: any Disk) throws(JournalError) {
        for number in segments.dropLast() where number != follows {
            guard follows > 0 && number > follows || pending?.contains(number) ?? true else { continue }
            damage += try readIfPossible(number, on: disk)?.damage ?? []
        }
    }

    /// Reads a segment other than the newest. If it cannot be opened, records that as damage.
    private mutating func readIfPossible(_ number: UInt64, on disk: any Disk) throws(JournalError) -> SegmentContents? {
        do throws(JournalError) {
            return try SegmentContents.patiently(segment: number, on: disk)
        } catch .unreadable(let error) {
            damage.append(
                Damage(file: SegmentName.segment(number).text, bytes: 0..<0, finding: .unreadable(error)))
            return nil
        }
    }
}

extension SegmentContents {
    /// Reads a segment up to three times. A disk that is being reset returns errors for a moment. The
    /// journal must not give up intact records for that, or use their numbers again.
    fileprivate static func patiently(
        segment number: UInt64, on disk: any Disk
    ) throws(JournalError) -> SegmentContents {
        for _ in 0..<2 {
            do throws(JournalError) {
                let contents = try SegmentContents(segment: number, on: disk)
                if !contents.isPartlyUnreadable { return contents }
            } catch {
                guard case .unreadable = error else { throw error }
            }
        }
        return try SegmentContents(segment: number, on: disk)
    }

    init(segment number: UInt64, on disk: any Disk) throws(JournalError) {
        let name = SegmentName.segment(number).text
        let file: any DiskFile
        do throws(DiskError) {
            file = try disk.open(name, for: .reading)
        } catch {
            throw .unreadable(error)
        }
        try self.init(file, name: name, number: number)
    }
}
