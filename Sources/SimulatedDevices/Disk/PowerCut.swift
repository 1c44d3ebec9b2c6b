// What a power cut does to everything that was not synced.

import Journal

/// A part of a change that has a fate of its own: a sector's worth of bytes, or a name.
package struct UnsyncedPart: Hashable, Sendable {
    /// How many bytes it has; a name has none.
    package let byteCount: Int
    let change: Int
    let range: Range<Int>
}

/// What becomes of an unsynced part at a power cut; `Sector` says what a disk may do.
package enum PartFate: Hashable, Sendable {
    /// It never got to the disk.
    case dropped
    /// It got there.
    case kept
    /// Only its first so many bytes got there.
    case torn(byteCount: Int)
    /// Its whole sector is garbage, unless that had these very bytes already.
    case garbled
}

extension SimulatedDisk {
    /// Everything that a power cut now could lose, part by part. Any of them may get to the disk without the others.
    package var unsyncedParts: [UnsyncedPart] {
        changes.enumerated().flatMap { index, change -> [UnsyncedPart] in
            guard change.fate != .settled else { return [] }
            guard case .write(_, let offset, let bytes) = change.kind else {
                return [UnsyncedPart(byteCount: 0, change: index, range: 0..<0)]
            }
            var parts: [UnsyncedPart] = []
            var start = 0
            while start < bytes.count {
                let sectorEnd = (offset + start) / Sector.bytes * Sector.bytes
                let end = min(bytes.count, sectorEnd + Sector.bytes - offset)
                parts.append(UnsyncedPart(byteCount: end - start, change: index, range: start..<end))
                start = end
            }
            return parts
        }
    }

    /// What is on the disk when the power is cut now and the unsynced parts fare as they are told to, in their order.
    package func image(afterCut fates: [PartFate]) -> DiskImage {
        let parts = unsyncedParts
        precondition(fates.count == parts.count, "each unsynced part has a fate")
        var contents = durable
        var next = 0
        for (index, change) in changes.enumerated() {
            guard change.fate != .settled else {
                contents.apply(change)
                continue
            }
            while next < parts.count, parts[next].change == index {
                contents.apply(change, parts[next].range, fates[next])
                next += 1
            }
        }
        return contents.image
    }

    /// What is on the disk when nothing unsynced got there.
    package var imageAfterWorstCut: DiskImage { image(afterCut: unsyncedParts.map { _ in .dropped }) }
}

extension DiskContents {
    fileprivate mutating func apply(_ change: DiskChange, _ range: Range<Int>, _ fate: PartFate) {
        switch (fate, change.kind) {
        case (.dropped, _): break
        case (.kept, .write(let file, let offset, let bytes)):
            write(bytes[range], at: offset + range.lowerBound, to: file)
        case (.torn(let byteCount), .write(let file, let offset, let bytes)):
            write(bytes[range].prefix(byteCount), at: offset + range.lowerBound, to: file)
        case (.garbled, .write(let file, let offset, let bytes)):
            garble(bytes[range], at: offset + range.lowerBound, of: file)
        case (.kept, _): apply(change)
        // A name is there or not.
        case (.torn, _), (.garbled, _): break
        }
    }

    private mutating func garble(_ bytes: ArraySlice<UInt8>, at offset: Int, of file: Int) {
        if let there = files[file], there.count >= offset + bytes.count,
            there[offset..<offset + bytes.count] == bytes
        {
            return
        }
        let sector = offset / Sector.bytes * Sector.bytes
        // No byte of it is zero, so that none of it looks unwritten.
        let garbage = (0..<Sector.bytes).map { UInt8(truncatingIfNeeded: ($0 &* 167 &+ sector / Sector.bytes) | 1) }
        write(garbage[...], at: sector, to: file)
    }
}
