// A file that is read from front to back, with only a part in memory.

/// A moving part of a file. An unreadable sector is recorded and read as zeros: the rest may be readable.
struct FileWindow {
    let size: Int
    /// The unreadable ranges, in the order in which they were found.
    private(set) var unreadable: [Unreadable] = []
    private let file: any DiskFile
    private let name: String
    private var bytes: [UInt8] = []
    private var start = 0

    struct Unreadable {
        var range: Range<Int>
        var error: DiskError
    }

    init(_ file: any DiskFile, name: String) throws(DiskError) {
        self.file = file
        self.name = name
        size = try file.size()
    }

    /// True if another process has made the file longer since.
    var hasGrown: Bool {
        do throws(DiskError) {
            return try file.size() > size
        } catch {
            // If the size cannot be read, other reads will report that.
            return false
        }
    }

    /// Returns the result of `body` for a range of the file.
    mutating func withBytes<Answer>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
        if range.lowerBound < start || range.upperBound > start + bytes.count { load(range) }
        return bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[range.lowerBound - start..<range.upperBound - start]))
        }
    }

    private mutating func load(_ range: Range<Int>) {
        start = range.lowerBound
        bytes.removeAll(keepingCapacity: true)
        let end = min(size, max(range.upperBound, start + pieceBytes))
        while start + bytes.count < end {
            let offset = start + bytes.count
            do throws(DiskError) {
                bytes += try read(end - offset, at: offset)
            } catch {
                loadSector(at: offset, of: end)
            }
        }
    }

    /// Reads up to the end of the sector at `offset`.
    private mutating func loadSector(at offset: Int, of end: Int) {
        let sectorEnd = min(end, roundedUp(offset + 1, to: Sector.bytes))
        do throws(DiskError) {
            bytes += try read(sectorEnd - offset, at: offset)
        } catch {
            bytes += [UInt8](repeating: 0, count: sectorEnd - offset)
            recordUnreadable(Unreadable(range: offset..<sectorEnd, error: error))
        }
    }

    private func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] {
        let some = try file.read(count, at: offset)
        guard !some.isEmpty else { throw DiskError(.read, name, .endedEarly) }
        return some
    }

    /// Records an unreadable range. The window may meet a sector twice, and adjacent sectors are merged.
    private mutating func recordUnreadable(_ found: Unreadable) {
        if unreadable.contains(where: { $0.range.contains(found.range.lowerBound) }) { return }
        if let last = unreadable.last, last.range.upperBound == found.range.lowerBound {
            unreadable[unreadable.count - 1].range = last.range.lowerBound..<found.range.upperBound
        } else {
            unreadable.append(found)
        }
    }
}
