// The effect of a power cut on unsynced changes.

import Journal

/// A part of a change with its own fate at a power cut: the bytes within one sector, or a name.
package struct UnsyncedPart: Hashable, Sendable {
    /// The number of bytes; 0 for a name.
    package let byteCount: Int
    let change: Int
    let range: Range<Int>
}

/// The fate of an unsynced part at a power cut. `Sector` lists the fates that a disk allows.
package enum PartFate: Hashable, Sendable {
    /// The part never reached the disk.
    case dropped
    case kept
    /// Only its first `byteCount` bytes reached the disk.
    case torn(byteCount: Int)
    /// The whole sector is garbage, unless it already had these bytes.
    case garbled
}

extension SimulatedDisk {
    /// All parts that a power cut now could lose. Each may reach the disk without the others.
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

    /// Returns the disk after a power cut now, with one fate for each of `unsyncedParts`, in their order.
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

    /// The disk after a power cut now, if nothing unsynced reached it.
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
        // A name reaches the disk as a whole or not at all.
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
        // No byte is zero, so that none of the sector looks unwritten.
        let garbage = (0..<Sector.bytes).map { UInt8(truncatingIfNeeded: ($0 &* 167 &+ sector / Sector.bytes) | 1) }
        write(garbage[...], at: sector, to: file)
    }
}
