// The removal of files that the journal no longer needs.

import Glibc

/// The files of a journal by their role. Each `retire` repeats the removals and renames that failed.
struct SegmentCleanup {
    /// The existing segments, the newest last.
    private(set) var segments: [UInt64]
    /// Damaged segments that must be renamed. Each is listed until its new name is durable.
    private(set) var toSetAside: [UInt64]
    /// Files that never became segments.
    private(set) var unfinished: [UInt64]
    /// Files that were set aside, and the last torn tail that was kept; the oldest first.
    private(set) var setAside: [SegmentName]

    init(_ scan: DirectoryScan) {
        segments = scan.segments
        toSetAside = scan.toSetAside
        unfinished = scan.unfinished
        setAside = scan.setAside
    }

    mutating func add(_ number: UInt64) {
        segments.append(number)
    }

    /// Adds a file whose rename to a segment failed, or may not be durable.
    mutating func leave(_ number: UInt64) {
        unfinished.append(number)
    }

    /// Sets aside damaged segments, and removes all others except the newest and the second chance, whose
    /// names must be durable. Returns an error if a step failed, or nil.
    mutating func retire(keeping newest: UInt64, and secondChance: UInt64, on disk: any Disk) -> DiskError? {
        var failure = setAside(on: disk)
        failure = thinOut(on: disk) ?? failure
        for number in unfinished { failure = discard(number, on: disk) ?? failure }
        for number in segments where number != newest && number != secondChance && !toSetAside.contains(number) {
            do throws(DiskError) {
                try disk.remove(ifThere: SegmentName.segment(number).text)
                segments.removeAll { $0 == number }
            } catch {
                failure = error
            }
        }
        return failure
    }

    /// Keeps a copy of a torn tail with whole records, because these may have been acknowledged. Once it is
    /// durable, the copies of earlier tails are removed. Returns an error if a step failed, or nil.
    mutating func keep(
        _ tail: TornTail, of contents: SegmentContents, as number: UInt64, on disk: any Disk
    ) -> DiskError? {
        do throws(DiskError) {
            try disk.copy(tail, of: contents, to: SegmentName.tail(number).text)
            setAside.append(.tail(number))
            for name in setAside {
                guard case .tail(let older) = name, older != number else { continue }
                try disk.remove(ifThere: name.text)
                setAside.removeAll { $0 == name }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Limits the number of set-aside files, so that a failing card does not fill up with them. Keeps the
    /// first ones, which show how the damage began, and the last ones.
    private mutating func thinOut(on disk: any Disk) -> DiskError? {
        var failure: DiskError?
        let files = setAside.filter { if case .setAside = $0 { true } else { false } }
        for name in files.dropFirst(SegmentCleanup.setAsideMax / 2).dropLast(SegmentCleanup.setAsideMax / 2) {
            do throws(DiskError) {
                try disk.remove(ifThere: name.text)
                setAside.removeAll { $0 == name }
            } catch {
                failure = error
            }
        }
        return failure
    }

    private static let setAsideMax = 8

    /// Renames damaged segments. Until the new names are durable, a power cut may restore the old ones:
    /// every new segment lists them in its header (`setsAside`), so that their damage is still reported.
    private mutating func setAside(on disk: any Disk) -> DiskError? {
        guard !toSetAside.isEmpty else { return nil }
        var failure: DiskError?
        for number in toSetAside where segments.contains(number) {
            do throws(DiskError) {
                try disk.rename(SegmentName.segment(number).text, to: SegmentName.setAside(number).text)
                segments.removeAll { $0 == number }
                setAside.append(.setAside(number))
            } catch {
                failure = error
            }
        }
        do throws(DiskError) {
            try disk.syncNames()
            toSetAside.removeAll { !segments.contains($0) }
        } catch {
            failure = error
        }
        return failure
    }

    /// Removes a file that did not become a segment. If a segment has the same number, the file is left
    /// alone. On file systems without a journal of their own, an interrupted rename can leave two names for
    /// one file, and removing one would empty both.
    mutating func discard(_ number: UInt64, on disk: any Disk) -> DiskError? {
        unfinished.removeAll { $0 == number }
        guard !segments.contains(number) else { return nil }
        do throws(DiskError) {
            try disk.remove(ifThere: SegmentName.unfinished(number).text)
            return nil
        } catch {
            unfinished.append(number)
            return error
        }
    }
}

extension Disk {
    func remove(ifThere name: String) throws(DiskError) {
        do throws(DiskError) {
            try remove(name)
        } catch {
            guard error.reason == .system(ENOENT) else { throw error }
        }
    }
}

extension Disk {
    /// Copies the sectors of a torn tail to a file of their own, before zeros overwrite them. The file
    /// begins with a segment header, which identifies the segment of the records.
    func copy(_ tail: TornTail, of contents: SegmentContents, to name: String) throws(DiskError) {
        let file = try open(tail.file, for: .reading)
        let end = min(roundedUp(tail.bytes.upperBound, to: Sector.bytes), try file.size())
        let bytes = try file.readWhole(tail.bytes.lowerBound / Sector.bytes * Sector.bytes..<end, of: tail.file)
        let last = contents.highestSequence
        let header = SegmentHeader(
            number: contents.number, supersedes: last, follows: contents.follows ?? 0, firstLater: last + 1,
            baseCount: 0,
            baseEnd: Sector.bytes, setsAside: [])
        let copy = try open(name, for: .creating)
        do throws(DiskError) {
            try copy.writeWhole(header.sector + bytes, at: 0, of: name)
            try copy.sync()
            try syncNames()
        } catch {
            // Half a copy is useless, and should not take space on a full disk.
            do throws(DiskError) {
                try remove(name)
            } catch {
                // Only the first error is reported. The half copy stays until the next tail is kept.
            }
            throw error
        }
    }
}
