// What becomes of files that the journal no longer needs.

import Glibc

/// The files of a journal beside the one that counts. What cannot be done about them now is tried again the next time.
struct SegmentCleanup {
    /// Segments that are there, the newest last.
    private(set) var segments: [UInt64]
    /// Segments that are to be set aside, until their new names last.
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

    /// A file may become a segment or not: nobody knows.
    mutating func leave(_ number: UInt64) {
        unfinished.append(number)
    }

    /// Sets aside damaged segments, and removes all others but two, once both names are durable. Returns what failed.
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

    /// Keeps a torn tail with whole records in it: nobody knows for sure that they were not acknowledged. Only the newest one
    /// is kept; those before it go when it lasts. Answers with what stood in the way.
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

    /// A card that is failing must not fill itself with what shows that it is: of the files that were set aside, the first
    /// ones are kept, which tell how it began, and the last ones.
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

    /// Until the new names last, a power cut may bring back the old ones: then nobody would know of the damage any more,
    /// if the newest segment did not tell of it.
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

    /// Removes a file that did not become a segment. One whose segment is there is left alone: on file systems without a
    /// journal of their own, a rename that was cut off can leave two names of one file, and removing one empties both.
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
    /// Copies the sectors of a torn tail into a file of their own, before they are wiped off. The file begins as a segment
    /// does, so that it says itself which one the records belong to.
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
            // Half a copy is of no use, and a full disk should not stay fuller for it.
            do throws(DiskError) {
                try remove(name)
            } catch {
                // The first failure is the one to tell; half a copy stays until the next tail is kept.
            }
            throw error
        }
    }
}
