// The segment that is being appended to.

/// A segment whose bytes on the disk are known, because every write and sync of it has succeeded. After the first one that
/// does not, it must be let go: nobody knows any more what is on the disk.
final class Segment {
    let number: UInt64
    private let file: any DiskFile
    private let name: String
    private let chunkBytes: Int
    /// Where the next record may go.
    private var end: Int
    /// What the sector has that `end` is in, up to there.
    private var lastSector: [UInt8]
    /// The blocks and the length up to here are on the disk. There is always a sector of zeros left: a file whose last
    /// sector is in use was cut short.
    private var size: Int
    /// How many bytes the base has.
    let baseBytes: Int

    private init(
        number: UInt64, file: any DiskFile, name: String, chunkBytes: Int, end: Int, lastSector: [UInt8], size: Int,
        baseBytes: Int
    ) {
        self.number = number
        self.file = file
        self.name = name
        self.chunkBytes = chunkBytes
        self.end = end
        self.lastSector = lastSector
        self.size = size
        self.baseBytes = baseBytes
    }

    /// How many bytes came after the base.
    var bytesSinceBase: Int { end - SegmentHeader.sectorBytes - baseBytes }

    /// Writes appends as one commit: one write, one sync.
    ///
    /// Whole sectors are written, which a disk takes without reading them first. A commit that fits in one sector is not spread
    /// over two.
    func append(_ appends: [[Record]]) throws(DiskError) {
        guard !appends.joined().isEmpty else { return }
        let sector = SegmentHeader.sectorBytes
        var bytes = lastSector
        var start = end - lastSector.count
        add(appends, to: &bytes, at: start)
        if bytes.count > sector, !lastSector.isEmpty {
            var afresh: [UInt8] = []
            add(appends, to: &afresh, at: start + sector)
            if afresh.count <= sector { (bytes, start) = (afresh, start + sector) }
        }
        let newEnd = start + bytes.count
        let newLastSector = Array(bytes.suffix(newEnd % sector))
        bytes.pad(to: roundedUp(bytes.count, to: sector))
        try makeRoom(for: newEnd)
        try file.writeWhole(bytes, at: start, of: name)
        try file.sync()
        end = newEnd
        lastSector = newLastSector
    }

    /// Adds appends as one commit to bytes that will be at `start`.
    private func add(_ appends: [[Record]], to bytes: inout [UInt8], at start: Int) {
        let commitStart = appends.joined().first?.sequence ?? 0
        for records in appends {
            for (index, record) in records.enumerated() {
                bytes.pad(to: StoredRecord.start(from: start + bytes.count) - start)
                let stored = StoredRecord(
                    record: record, commitStart: commitStart, followers: UInt16(records.count - 1 - index),
                    isInBase: false)
                stored.append(to: &bytes, ofSegment: number)
            }
        }
    }

    /// Lets the file grow by zeros if it must.
    private func makeRoom(for newEnd: Int) throws(DiskError) {
        let sector = SegmentHeader.sectorBytes
        guard roundedUp(newEnd, to: sector) + sector > size else { return }
        let newSize = roundedUp(newEnd + chunkBytes, to: sector)
        try file.writeZeros(size..<newSize, of: name)
        try file.sync()
        size = newSize
    }

    /// What a new segment begins with.
    struct Base {
        var records: [Record]
        var supersedes: UInt64
        var follows: UInt64
        var firstLater: UInt64
    }

    /// Makes a whole segment under a name that is not yet a segment's.
    static func write(
        _ base: Base, number: UInt64, named name: String, on disk: any Disk, chunkBytes: Int
    ) throws(DiskError) -> Segment {
        let file = try disk.open(name, for: .creating)
        var written = SegmentHeader.sectorBytes
        var bytes: [UInt8] = []
        for record in base.records {
            bytes.pad(to: StoredRecord.start(from: written + bytes.count) - written)
            let stored = StoredRecord(record: record, commitStart: base.supersedes, followers: 0, isInBase: true)
            stored.append(to: &bytes, ofSegment: number)
            let whole = bytes.count & ~(SegmentHeader.sectorBytes - 1)
            guard whole >= pieceBytes else { continue }
            try file.writeWhole(Array(bytes[..<whole]), at: written, of: name)
            written += whole
            bytes.removeFirst(whole)
        }
        bytes.pad(to: roundedUp(bytes.count, to: SegmentHeader.sectorBytes))
        if !bytes.isEmpty { try file.writeWhole(bytes, at: written, of: name) }
        let end = written + bytes.count
        let size = roundedUp(end + chunkBytes, to: SegmentHeader.sectorBytes)
        try file.writeZeros(end..<size, of: name)
        let header = SegmentHeader(
            number: number, supersedes: base.supersedes, follows: base.follows, firstLater: base.firstLater,
            baseCount: base.records.count, baseEnd: end)
        try file.writeWhole(header.sector, at: 0, of: name)
        try file.sync()
        return Segment(
            number: number, file: file, name: SegmentName.segment(number).text, chunkBytes: chunkBytes, end: end,
            lastSector: [], size: size, baseBytes: end - SegmentHeader.sectorBytes)
    }

    /// Goes on with a segment that was read and found sound.
    ///
    /// What was read may be in the kernel's memory only: the process that wrote it may have died before its sync, or the sync
    /// may have failed. So the last commit is written again, and zeros after it up to the end of the file, over whatever a
    /// commit that was cut off has left there.
    static func resume(_ reading: SegmentReading, on disk: any Disk, chunkBytes: Int) throws(DiskError) -> Segment {
        let file = try disk.open(reading.name, for: .writing)
        let sector = SegmentHeader.sectorBytes
        let start = reading.lastCommit & ~(sector - 1)
        var bytes: [UInt8] = []
        while start + bytes.count < reading.end {
            let offset = start + bytes.count
            let some = try file.read(reading.end - offset, at: offset)
            guard !some.isEmpty else { throw DiskError(.read, reading.name, .endedEarly) }
            bytes += some
        }
        let lastSector = Array(bytes.suffix(reading.end % sector))
        bytes.pad(to: roundedUp(bytes.count, to: sector))
        if !bytes.isEmpty { try file.writeWhole(bytes, at: start, of: reading.name) }
        try file.writeZeros(start + bytes.count..<reading.size, of: reading.name)
        try file.sync()
        let baseEnd = reading.header?.baseEnd ?? sector
        return Segment(
            number: reading.number, file: file, name: reading.name, chunkBytes: chunkBytes, end: reading.end,
            lastSector: lastSector, size: reading.size, baseBytes: baseEnd - sector)
    }
}

extension [UInt8] {
    fileprivate mutating func pad(to count: Int) {
        self += [UInt8](repeating: 0, count: count - self.count)
    }
}
