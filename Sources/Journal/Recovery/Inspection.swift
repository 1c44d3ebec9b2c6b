// Looks at a journal without changing it, also while somebody else is appending to it.

import Glibc

/// What there is to know about a journal, or about one of its files.
package struct Inspection {
    package private(set) var files: [String] = []
    /// All records that count, in order.
    package private(set) var records: [Record] = []
    /// The rest of a commit that was cut off, or that is being written just now.
    package private(set) var tornTail: TornTail?
    package private(set) var damage: [Damage] = []
    /// What is damaged in the second chance while nobody needs it: nothing is missing.
    package private(set) var spareDamage: [Damage] = []
    /// Files that were set aside for a person to look at.
    package private(set) var setAside: [String] = []

    /// Looks at all of a journal. No files mean that there is none.
    ///
    /// While somebody appends or compacts, what was read first may not fit what was read last: only what looks wrong in the
    /// same way twice is wrong. When a file is gone that was there, all is looked at again: a compaction takes one at a time.
    package init(journalOn disk: any Disk) throws(JournalError) {
        var (before, goneMax): (Inspection?, Int) = (nil, 100)
        while true {
            do throws(JournalError) {
                let now = try Inspection(once: disk)
                let all = now.damage + now.spareDamage
                if all.contains(where: \.isOfAFileThatIsGone), goneMax > 0 {
                    goneMax -= 1
                } else if !all.isEmpty, before == nil {
                    before = now
                } else {
                    self = now
                    if let before {
                        damage = damage.filter(before.damage.contains)
                        spareDamage = spareDamage.filter(before.spareDamage.contains)
                    }
                    return
                }
            } catch {
                guard case .unreadable(let reason) = error, reason.isOfAFileThatIsGone, goneMax > 0 else { throw error }
                goneMax -= 1
            }
        }
    }

    private init(once disk: any Disk) throws(JournalError) {
        let scan = try DirectoryScan(disk)
        records = scan.records
        damage = scan.damage
        tornTail = scan.tornTail
        setAside = scan.setAside.map(\.text)
        files = [scan.newest?.name].compactMap(\.self)
        guard let newest = scan.newest, scan.segments.contains(scan.follows) else { return }
        let name = SegmentName.segment(scan.follows).text
        files.insert(name, at: 0)
        // Where the newest segment's own beginning is damaged, the second chance was asked already.
        guard newest.isBaseWhole else { return }
        do throws(JournalError) {
            spareDamage = try SegmentContents(segment: scan.follows, on: disk).damage
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            spareDamage = [Damage(file: name, bytes: 0..<0, finding: .unreadable(reason))]
        }
    }

    /// Looks at one file, which may have any name: as the segment that it says it is, or else as the one that it is called.
    package init(file name: String, on disk: any Disk) throws(JournalError) {
        files = [name]
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
        if case .tail = SegmentName(name) {
            var reader = SegmentReader(window: window, number: number)
            records = reader.laterRecords(from: Sector.bytes)
            return
        }
        let contents = try SegmentContents(file, name: name, number: number)
        records = contents.base + contents.later
        tornTail = contents.tornTail
        damage = contents.damage
    }
}

extension DiskError {
    fileprivate var isOfAFileThatIsGone: Bool { reason == .system(ENOENT) }
}

extension Damage {
    fileprivate var isOfAFileThatIsGone: Bool {
        guard case .unreadable(let error) = finding else { return false }
        return error.isOfAFileThatIsGone
    }
}
