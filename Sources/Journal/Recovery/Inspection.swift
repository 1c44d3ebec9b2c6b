// The inspection of a journal, which changes nothing and needs no lock.

import Glibc

/// The contents of a journal, or of one of its files.
package struct Inspection {
    package private(set) var files: [String] = []
    /// All records that count, in order.
    package private(set) var records: [Record] = []
    /// The rest of a commit that was cut off, or that another process is writing now.
    package private(set) var tornTail: TornTail?
    package private(set) var damage: [Damage] = []
    /// Damage in the previous segment. No record is lost, because the newest segment's base is whole.
    package private(set) var spareDamage: [Damage] = []
    /// Files that were set aside for a person to look at.
    package private(set) var setAside: [String] = []

    /// Inspects a whole journal. If `files` is empty, there is none.
    ///
    /// Another process may append or compact between two reads, which looks like damage. If there is damage,
    /// the journal is read a second time, and only damage found both times is reported. If a listed file has
    /// disappeared, all is read again, up to 100 times: a compaction removes the oldest segment.
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
        // If the newest base is damaged, `DirectoryScan` has already read the previous segment.
        guard newest.isBaseWhole else { return }
        do throws(JournalError) {
            spareDamage = try SegmentContents(segment: scan.follows, on: disk).damage
        } catch {
            guard case .unreadable(let reason) = error else { throw error }
            spareDamage = [Damage(file: name, bytes: 0..<0, finding: .unreadable(reason))]
        }
    }

    /// Inspects one file, which may have any name. The segment's number comes from the file's header, or
    /// from its name if the header is damaged.
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
