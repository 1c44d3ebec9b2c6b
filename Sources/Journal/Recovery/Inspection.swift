// Looks at a journal without changing it, also while somebody else is appending to it.

import Glibc

/// What there is to know about a journal, or about one of its files.
public struct Inspection {
    /// The files that were looked at.
    public private(set) var files: [String] = []
    /// All records that count, in order.
    public private(set) var records: [Record] = []
    /// The rest of a commit that was cut off, or that is being written just now.
    public private(set) var tornTail: TornTail?
    /// What is damaged, also where it did no harm yet.
    public private(set) var damage: [Damage] = []
    /// Files that were set aside because of damage.
    public private(set) var setAside: [String] = []

    /// Looks at all of a journal. No files mean that there is none.
    ///
    /// While somebody appends or compacts, what was read first may not fit what was read last: what looks wrong is looked at
    /// again, and more often when a file is gone that was there: a compaction takes one at a time.
    public init(journalOn disk: any Disk) throws(JournalError) {
        var (damagedMax, goneMax) = (2, 100)
        while true {
            do throws(JournalError) {
                self = try Inspection(once: disk)
                guard !damage.isEmpty, damagedMax > 0 else { return }
                damagedMax -= 1
            } catch {
                guard case .unreadable(let reason) = error, reason.reason == .system(ENOENT), goneMax > 0 else {
                    throw error
                }
                goneMax -= 1
            }
        }
    }

    private init(once disk: any Disk) throws(JournalError) {
        let survey = try Survey(disk)
        records = survey.records
        damage = survey.damage
        tornTail = survey.tornTail
        setAside = survey.setAside.map { SegmentName.setAside($0).text }
        files = [survey.newest?.name].compactMap(\.self)
        let newestIsWhole = survey.newest?.isBaseWhole ?? false
        guard let before = survey.newest?.header?.follows, survey.segments.contains(before) else { return }
        let name = SegmentName.segment(before).text
        files.insert(name, at: 0)
        // Opening the journal asks the second chance only when the newest segment is damaged.
        guard newestIsWhole else { return }
        do throws(JournalError) {
            damage += try SegmentReading(segment: before, on: disk).damage
        } catch .unreadable(let error) {
            damage.append(Damage(file: name, bytes: 0..<0, finding: .unreadable(error)))
        }
    }

    /// Looks at one file, which may have any name.
    public init(file name: String, on disk: any Disk) throws(JournalError) {
        let reading = try SegmentReading(fileNamed: name, on: disk)
        files = [name]
        records = reading.base + reading.later
        tornTail = reading.tornTail
        damage = reading.damage
    }
}

extension SegmentReading {
    /// Reads a file as the segment that it says it is, or else as the one that it is called.
    fileprivate init(fileNamed name: String, on disk: any Disk) throws(JournalError) {
        let (file, window): (any DiskFile, FileWindow)
        do throws(DiskError) {
            file = try disk.open(name, for: .reading)
            window = try FileWindow(file, name: name)
        } catch {
            throw .unreadable(error)
        }
        var reader = SegmentReader(window: window, number: 0)
        var number = SegmentName(name)?.number ?? 0
        if case .whole(let header) = reader.header() { number = header.number }
        try self.init(file, name: name, number: number)
    }
}
