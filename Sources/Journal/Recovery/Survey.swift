// Finds out what a journal's directory holds, and changes nothing.

/// What a directory holds: the records that count, and everything that is wrong with them.
struct Survey {
    /// The numbers of the segments that are there, in order.
    private(set) var segments: [UInt64] = []
    /// Files that never became part of the journal.
    private(set) var unfinished: [UInt64] = []
    /// Files that were set aside for a person to look at.
    private(set) var setAside: [UInt64] = []
    /// Segments that are to be set aside.
    private(set) var toSetAside: [UInt64] = []
    /// The newest segment, which says what counts.
    private(set) var newest: SegmentReading?
    /// The segment that it took over from, where it had to be asked.
    private(set) var secondChance: SegmentReading?
    /// All that counts, in order.
    private(set) var records: [Record] = []
    /// What the next record is numbered.
    private(set) var nextSequence: UInt64 = 1
    /// What comes behind the last whole append, in the newest segment or in one that is still to be set aside.
    private(set) var tornTail: TornTail?
    private(set) var damage: [Damage] = []

    /// Reads a directory.
    init(_ disk: any Disk) throws(JournalError) {
        do throws(DiskError) {
            sort(try disk.names())
        } catch {
            throw .unreadable(error)
        }
        guard let number = segments.last else {
            if let aside = setAside.last {
                damage.append(Damage(file: SegmentName.setAside(aside).text, bytes: 0..<0, finding: .nothingLeft))
            }
            return
        }
        let newest = try SegmentReading(segment: number, on: disk)
        self.newest = newest
        damage = newest.damage
        tornTail = newest.tornTail
        if newest.isBaseWhole {
            records = newest.base + newest.later
        } else {
            try mend(newest, on: disk)
        }
        // A base that was put aside for the second chance had numbers of its own.
        let last = [newest.base, records].compactMap(\.last?.sequence).max() ?? 0
        nextSequence = max(newest.header?.firstLater ?? 1, last + 1)
        try lookAtSuperfluous(besides: newest, on: disk)
        if newest.isToBeSetAside { toSetAside.append(number) }
    }

    /// A number for a file that never had one.
    var unusedNumber: UInt64 { ([segments.last, unfinished.last, setAside.last].compactMap(\.self).max() ?? 0) + 1 }

    /// The segment that the next one follows: the newest, or, if that is to be set aside, the one before it; 0 for none.
    var lastInUse: UInt64 {
        guard let newest, newest.isToBeSetAside else { return segments.last ?? 0 }
        return newest.header?.follows ?? segments.dropLast().last ?? 0
    }

    private mutating func sort(_ names: [String]) {
        for name in names.compactMap(SegmentName.init) {
            switch name {
            case .segment(let number): segments.append(number)
            case .unfinished(let number): unfinished.append(number)
            case .setAside(let number): setAside.append(number)
            }
        }
        segments.sort()
        unfinished.sort()
        setAside.sort()
    }

    /// Puts the second chance in the place of a base that is not whole: what it says up to where the base stands for
    /// everything. What it says beyond was never acknowledged there.
    private mutating func mend(_ newest: SegmentReading, on disk: any Disk) throws(JournalError) {
        let first = newest.later.first?.sequence
        let supersedes = newest.supersedes ?? first.map { $0 - 1 } ?? .max
        // Nothing came before the first record: then there was no base that could be missing.
        guard supersedes > 0 else { return records = newest.base + newest.later }
        guard let before = try secondChance(of: newest, on: disk) else {
            // What nobody can read is not to be taken for empty.
            if let error = newest.unreadable { throw .unreadable(error) }
            records = newest.base + newest.later
            if newest.header == nil, newest.supersedes == nil, let first {
                damage.append(Damage(file: newest.name, bytes: 0..<0, finding: .missing(1...first - 1)))
            }
            return
        }
        secondChance = before
        let old = (before.base + before.later).filter { $0.sequence <= supersedes }
        records = old + newest.later
        let last = max(old.last?.sequence ?? 0, before.supersedes ?? 0)
        if supersedes != .max, last < supersedes {
            damage.append(
                Damage(file: before.name, bytes: before.end..<before.size, finding: .missing(last + 1...supersedes)))
        }
    }

    /// The segment that this one took over from, if it is still there and its own beginning is sound. What is wrong with it
    /// matters now.
    private mutating func secondChance(
        of newest: SegmentReading, on disk: any Disk
    ) throws(JournalError) -> SegmentReading? {
        let number = newest.header?.follows ?? segments.dropLast().last
        guard let number, segments.dropLast().contains(number) else { return nil }
        guard let reading = try readIfPossible(number, on: disk) else { return nil }
        damage += reading.damage
        return reading.isBaseWhole ? reading : nil
    }

    /// Segments that came after the one that the newest follows: what the newest is to set aside, or one whose name was not
    /// sure to last, which nothing was ever appended to. They are looked at before they are removed.
    private mutating func lookAtSuperfluous(besides newest: SegmentReading, on disk: any Disk) throws(JournalError) {
        guard let header = newest.header else { return }
        for number in segments.dropLast() where number > header.follows || number == header.setsAside {
            let reading = try readIfPossible(number, on: disk)
            damage += reading?.damage ?? []
            guard number == header.setsAside || reading?.isToBeSetAside ?? true else { continue }
            tornTail = tornTail ?? reading?.tornTail
            toSetAside.append(number)
        }
    }

    /// A segment beside the newest; one that cannot even be opened is damage.
    private mutating func readIfPossible(_ number: UInt64, on disk: any Disk) throws(JournalError) -> SegmentReading? {
        do throws(JournalError) {
            return try SegmentReading(segment: number, on: disk)
        } catch .unreadable(let error) {
            damage.append(
                Damage(file: SegmentName.segment(number).text, bytes: 0..<0, finding: .unreadable(error)))
            return nil
        }
    }
}

extension SegmentReading {
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
