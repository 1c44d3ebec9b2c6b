// The segment that the journal appends to.

/// A segment whose bytes on the disk are known, because every write and sync has succeeded. After the first
/// failure the journal must abandon it, since its content on the disk is unknown.
final class Segment {
    struct Failure: Error {
        var reason: DiskError
        /// True if the segment is unchanged: the disk was too full for it to grow.
        var isSegmentSound: Bool
    }

    let number: UInt64
    private let follows: UInt64
    private let file: any DiskFile
    private let name: String
    private let chunkBytes: Int
    /// The position of the next commit, at the beginning of a sector.
    private var end: Int
    /// The length up to which blocks are allocated on the disk. At least one sector of zeros always remains:
    /// a file whose last sector is in use was truncated.
    private var size: Int
    let baseBytes: Int

    private init(
        number: UInt64, follows: UInt64, file: any DiskFile, name: String, chunkBytes: Int, end: Int, size: Int,
        baseBytes: Int
    ) {
        (self.number, self.follows, self.file, self.name) = (number, follows, file, name)
        (self.chunkBytes, self.end, self.size, self.baseBytes) = (chunkBytes, end, size, baseBytes)
    }

    /// The error of a segment whose file was deleted; nil while it has its name.
    var deletion: DiskError? { file.isDeleted ? DiskError(.write, name, .deleted) : nil }

    var bytesSinceBase: Int { end - Sector.bytes - baseBytes }

    /// Writes appends as one commit: one write of whole, unused sectors and one sync.
    func append(_ appends: [[Record]]) throws(Failure) {
        guard let first = appends.joined().first else { return }
        var bytes: [UInt8] = []
        for records in appends {
            for (index, record) in records.enumerated() {
                bytes.pad(to: StoredRecord.start(from: bytes.count))
                let stored = StoredRecord(
                    record: record, commitStart: first.sequence, followers: UInt16(records.count - 1 - index),
                    isInBase: false, follows: follows)
                stored.append(to: &bytes, ofSegment: number)
            }
        }
        bytes.pad(to: roundedUp(bytes.count, to: Sector.bytes))
        try makeRoom(for: end + bytes.count)
        do throws(DiskError) {
            try file.writeWhole(bytes, at: end, of: name)
            try file.sync()
        } catch {
            throw Failure(reason: error, isSegmentSound: false)
        }
        end += bytes.count
    }

    /// Extends the file by zeros if necessary. An incomplete extension is harmless: no record follows it.
    private func makeRoom(for newEnd: Int) throws(Failure) {
        guard newEnd + Sector.bytes > size else { return }
        let newSize: Int
        do throws(DiskError) {
            newSize = try file.grow(from: size, toFit: newEnd, chunkBytes: chunkBytes, of: name)
        } catch {
            throw Failure(reason: error, isSegmentSound: error.isForWantOfRoom)
        }
        do throws(DiskError) {
            try file.sync()
        } catch {
            throw Failure(reason: error, isSegmentSound: false)
        }
        size = newSize
    }

    struct Base {
        var records: [Record]
        var supersedes: UInt64
        var follows: UInt64
        var firstLater: UInt64
        var setsAside: [UInt64]
    }

    /// Writes a complete segment under a name that does not count as a segment's yet.
    static func write(
        _ base: Base, number: UInt64, named name: String, on disk: any Disk, chunkBytes: Int
    ) throws(DiskError) -> Segment {
        let file = try disk.open(name, for: .creating)
        var written = Sector.bytes
        var bytes: [UInt8] = []
        for (index, record) in base.records.enumerated() {
            bytes.pad(to: StoredRecord.start(from: written + bytes.count) - written)
            let stored = StoredRecord(
                record: record, commitStart: base.supersedes,
                followers: UInt16(clamping: base.records.count - 1 - index), isInBase: true, follows: base.follows)
            stored.append(to: &bytes, ofSegment: number)
            let whole = bytes.count & ~(Sector.bytes - 1)
            guard whole >= pieceBytes else { continue }
            try file.writeWhole(Array(bytes[..<whole]), at: written, of: name)
            written += whole
            bytes.removeFirst(whole)
        }
        bytes.pad(to: roundedUp(bytes.count, to: Sector.bytes))
        if !bytes.isEmpty { try file.writeWhole(bytes, at: written, of: name) }
        let end = written + bytes.count
        let size = try file.grow(from: end, toFit: end, chunkBytes: chunkBytes, of: name)
        let header = SegmentHeader(
            number: number, supersedes: base.supersedes, follows: base.follows, firstLater: base.firstLater,
            baseCount: base.records.count, baseEnd: end, setsAside: base.setsAside)
        try file.writeWhole(header.sector, at: 0, of: name)
        try file.sync()
        return Segment(
            number: number, follows: base.follows, file: file, name: SegmentName.segment(number).text,
            chunkBytes: chunkBytes, end: end, size: size, baseBytes: end - Sector.bytes)
    }

    /// Continues a segment that was read and found fit for appends.
    ///
    /// The segment's content may be in the page cache only. Therefore the last commit is written again.
    /// Zeros overwrite a torn tail, and are written at the end of the file, which makes its length durable.
    static func resume(_ contents: SegmentContents, on disk: any Disk, chunkBytes: Int) throws(DiskError) -> Segment {
        let file = try disk.open(contents.name, for: .writing)
        let end = contents.nextCommit
        // If no record of the last commit counts, nothing is written again.
        let start = min(contents.lastCommit, end)
        let bytes = try file.readWhole(start..<end, of: contents.name)
        if !bytes.isEmpty { try file.writeWhole(bytes, at: start, of: contents.name) }
        if let tail = contents.tornTail {
            let tailEnd = roundedUp(tail.bytes.upperBound, to: Sector.bytes)
            try file.writeZeros(end..<min(tailEnd, contents.size), of: contents.name)
        }
        try file.writeZeros(
            max(end, (contents.size - 1) / Sector.bytes * Sector.bytes)..<contents.size, of: contents.name)
        try file.sync()
        let baseEnd = contents.header?.baseEnd ?? Sector.bytes
        return Segment(
            number: contents.number, follows: contents.follows ?? 0, file: file, name: contents.name,
            chunkBytes: chunkBytes, end: end, size: contents.size, baseBytes: baseEnd - Sector.bytes)
    }
}

extension DiskFile {
    /// Writes zeros up to a chunk more than necessary, so that most commits need no growth. On a full disk
    /// it writes as many as fit, at least one sector more than necessary. Returns the new size.
    fileprivate func grow(from size: Int, toFit end: Int, chunkBytes: Int, of name: String) throws(DiskError) -> Int {
        let ample = roundedUp(end + chunkBytes, to: Sector.bytes)
        do throws(DiskError) {
            try writeZeros(size..<ample, of: name)
            return ample
        } catch {
            guard error.isForWantOfRoom else { throw error }
            let least = roundedUp(end, to: Sector.bytes) + Sector.bytes
            // Keep the space that was allocated. The next commit would need it again.
            let reached = try self.size() / Sector.bytes * Sector.bytes
            guard reached < least else { return reached }
            try writeZeros(max(size, reached)..<least, of: name)
            return least
        }
    }
}

extension [UInt8] {
    fileprivate mutating func pad(to count: Int) {
        self += [UInt8](repeating: 0, count: count - self.count)
    }
}
