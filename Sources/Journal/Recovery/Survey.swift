// Finds out what a journal's directory holds, and changes nothing.

/// What a directory holds: the records that count, and everything that is wrong with them.
struct Survey {
    /// The numbers of the segments that are there, in order.
    var segments: [UInt64] = []
    /// Files that never became part of the journal.
    var unfinished: [UInt64] = []
    /// Files that were set aside because of damage.
    var setAside: [UInt64] = []
    /// The newest segment, which says what counts.
    var newest: SegmentReading?
    /// The segment that it took over from, where it had to be asked.
    var secondChance: SegmentReading?
    /// All that counts, in order.
    var records: [Record] = []
    /// What the next record is numbered.
    var nextSequence: UInt64 = 1
    var damage: [Damage] = []

    /// Reads a directory.
    init(_ disk: any Disk) throws(JournalError) {
        do throws(DiskError) {
            sort(try disk.names())
        } catch {
            throw .unreadable(error)
        }
        guard let number = segments.last else {
            if let aside = setAside.last {
                damage.append(Damage(file: SegmentName.damaged(aside).text, bytes: 0..<0, finding: .nothingLeft))
            }
            return
        }
        let newest = try SegmentReading(segment: number, on: disk)
        self.newest = newest
        damage = newest.damage
        if newest.isBaseWhole {
            records = newest.base + newest.later
        } else {
            try mend(newest, on: disk)
        }
        nextSequence = max(
            newest.header?.firstLater ?? 1, (newest.supersedes ?? 0) + 1, (records.last?.sequence ?? 0) + 1)
    }

    /// A number for a file that never had one.
    var unusedNumber: UInt64 { ([segments.last, unfinished.last, setAside.last].compactMap(\.self).max() ?? 0) + 1 }

    private mutating func sort(_ names: [String]) {
        for name in names.compactMap(SegmentName.init) {
            switch name {
            case .segment(let number): segments.append(number)
            case .unfinished(let number): unfinished.append(number)
            case .damaged(let number): setAside.append(number)
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
            records = newest.base + newest.later
            if newest.header == nil, newest.supersedes == nil, let first {
                damage.append(Damage(file: newest.name, bytes: 0..<0, finding: .missing(1...first - 1)))
            }
            return
        }
        secondChance = before
        damage += before.damage
        let old = (before.base + before.later).filter { $0.sequence <= supersedes }
        records = old + newest.later
        let last = max(old.last?.sequence ?? 0, before.supersedes ?? 0)
        if supersedes != .max, last < supersedes {
            damage.append(
                Damage(file: before.name, bytes: before.end..<before.size, finding: .missing(last + 1...supersedes)))
        }
    }

    /// The segment that this one took over from, if it is still there and its own beginning is sound.
    private func secondChance(of newest: SegmentReading, on disk: any Disk) throws(JournalError) -> SegmentReading? {
        let number = newest.header?.follows ?? segments.dropLast().last
        guard let number, segments.dropLast().contains(number) else { return nil }
        do throws(JournalError) {
            let reading = try SegmentReading(segment: number, on: disk)
            return reading.isBaseWhole ? reading : nil
        } catch .unreadable {
            // It was only a second chance; the damage of the first is reported.
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
