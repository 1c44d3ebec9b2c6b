// A torn tail with whole records in it, kept for a person to look at.

extension Disk {
    /// Copies the sectors of a torn tail into a file of their own, before they are wiped off. The file begins as a segment
    /// does, so that it says itself which one the records belong to.
    func copy(_ tail: TornTail, of reading: SegmentReading, to name: String) throws(DiskError) {
        let file = try open(tail.file, for: .reading)
        let end = min(roundedUp(tail.bytes.upperBound, to: Sector.bytes), try file.size())
        let bytes = try file.readWhole(tail.bytes.lowerBound / Sector.bytes * Sector.bytes..<end, of: tail.file)
        let last = reading.highestSequence
        let header = SegmentHeader(
            number: reading.number, supersedes: last, follows: reading.follows ?? 0, firstLater: last + 1, baseCount: 0,
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

extension SegmentReader {
    /// Every whole record of a tail that was kept, whether or not its append is there as a whole.
    mutating func recordsOfTail() -> [Record] {
        var (records, end): ([Record], Int) = ([], Sector.bytes)
        while let found = firstRecord(from: end, before: size, where: { !$0.isInBase }) {
            records.append(found.stored.record)
            end = found.end
        }
        return records
    }
}
