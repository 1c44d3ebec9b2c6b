// A torn tail with whole records in it, kept for a person to look at.

extension Disk {
    /// Copies the sectors of a torn tail into a file of their own, before they are wiped off. A file that had that name is
    /// gone then; what it was a copy of was wiped off long ago.
    func copy(_ tail: TornTail, to name: String) throws(DiskError) {
        let file = try open(tail.file, for: .reading)
        let end = min(roundedUp(tail.bytes.upperBound, to: Sector.bytes), try file.size())
        let bytes = try file.readWhole(tail.bytes.lowerBound / Sector.bytes * Sector.bytes..<end, of: tail.file)
        try remove(ifThere: name)
        let copy = try open(name, for: .creating)
        do throws(DiskError) {
            try copy.writeWhole(bytes, at: 0, of: name)
            try copy.sync()
            try syncNames()
        } catch {
            // Half a copy is of no use, and a full disk should not stay fuller for it; one that stays is replaced by the next.
            do throws(DiskError) { try remove(name) } catch {}
            throw error
        }
    }
}
