// Finds out what a journal's directory holds, and changes nothing.

/// What a directory holds: the records that count, and everything that is wrong with them.
struct DirectoryScan {
    /// The numbers of the segments that are there, in order.
    private(set) var segments: [UInt64] = []
    /// Files that never became part of the journal.
    private(set) var unfinished: [UInt64] = []
    /// Files that were kept for a person to look at: segments that were set aside, and torn tails.
    private(set) var setAside: [SegmentName] = []
    private(set) var toSetAside: [UInt64] = []
    /// The newest segment, which says what counts.
    private(set) var newest: SegmentContents?
    /// The segment that it took over from; 0 for none.
    private(set) var follows: UInt64 = 0
    /// All that counts, in order.
    private(set) var records: [Record] = []
    private(set) var nextSequence: UInt64 = 1
    /// What comes behind the last whole append.
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
        // Only a journal without records does not say what its damaged segment follows.
        follows = newest.follows ?? segments.dropLast().last ?? 0
        damage = newest.damage
        tornTail = newest.tornTail
        if newest.isBaseWhole {
            records = newest.base + newest.later
        } else {
            try repair(newest, on: disk)
        }
        // Also those that were given up for others: no number is used twice.
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

    /// A number for a file that never had one.
    var unusedNumber: UInt64 {
        ([segments.last, unfinished.last, setAside.last?.number].compactMap(\.self).max() ?? 0) + 1
    }

    /// The segment that the next one follows: the newest, or, if that is to be set aside, the one before it; 0 for none.
    private(set) var lastInUse: UInt64 = 0

    /// The one before a damaged one is still a second chance, if nothing in it has to be hidden: what was refused there is
    /// hidden by what the damaged one supersedes, and would not be by what comes next.
    private func isStillASecondChance(_ newest: SegmentContents, on disk: any Disk) -> Bool {
        guard segments.dropLast().contains(follows), !toSetAside.contains(follows) else { return false }
        do throws(JournalError) {
            let before = try SegmentContents.patiently(segment: follows, on: disk)
            // One that says nothing at all hides nothing either.
            let hidden = newest.supersedes ?? (newest.later.isEmpty ? .max : 0)
            return before.damage.isEmpty && before.highestSequence <= hidden
        } catch {
            // What cannot be read now is no chance.
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

    /// Asks the second chance for what a base that is not whole stood for. What is wrong with it matters now.
    private mutating func repair(_ newest: SegmentContents, on disk: any Disk) throws(JournalError) {
        // Nothing came before the first record: then there was no base that could be missing.
        guard newest.later.first?.sequence != 1 else { return records = newest.later }
        let before = segments.dropLast().contains(follows) ? try readIfPossible(follows, on: disk) : nil
        // What nobody can read is not to be taken for empty.
        if let error = newest.unreadable, before.map({ $0.unreadable != nil }) ?? true { throw .unreadable(error) }
        let baseRepair = BaseRepair(newest, with: before)
        records = baseRepair.records
        damage += (before?.damage ?? []) + baseRepair.damage
        nextSequence = max(nextSequence, before?.highestSequence.advanced(by: 1) ?? 0)
    }

    /// Reads segments that are neither the newest nor its second chance before they are removed: those to be set aside, and one
    /// that was never appended to, for its name may not have been durable. A segment without a predecessor leaves `setsAside`.
    ///
    /// - Parameter pending: the segments to be set aside; nil if unknown, which means any of them.
    private mutating func scanSuperfluous(pending: [UInt64]?, on disk: any Disk) throws(JournalError) {
        for number in segments.dropLast() where number != follows {
            guard follows > 0 && number > follows || pending?.contains(number) ?? true else { continue }
            damage += try readIfPossible(number, on: disk)?.damage ?? []
        }
    }

    /// A segment beside the newest; one that cannot even be opened is damage.
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
    /// A disk that is being reset gives nothing for a moment. Sound records are not to be given up for that, nor their
    /// numbers used again: what cannot be read is read again.
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
