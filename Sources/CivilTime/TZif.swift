// Parses compiled zone data: the TZif format of RFC 9636, in all its versions.

import Text

extension Zone {
    /// Parses the bytes of a TZif file. Every count and index is checked against the length before use.
    public init(name: String, tzif bytes: [UInt8]) throws(ZoneError) {
        var reader = TZifReader(name: name, bytes: bytes)
        self = try reader.zone()
    }
}

private struct TZifReader {
    let name: String
    let bytes: [UInt8]
    var position = 0

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    func damaged(_ what: String) -> ZoneError {
        .malformed(name, what: what)
    }

    mutating func zone() throws(ZoneError) -> Zone {
        let old = try header()
        guard old.version >= 2 else {
            let table = try table(old, timeBytes: 4)
            return Zone(name: name, changes: table.changes, offsets: table.offsets, rule: nil)
        }
        // The first table has only 32-bit times and serves readers of version 1.
        try skip(old.length(timeBytes: 4))
        let header = try header()
        let table = try table(header, timeBytes: 8)
        return Zone(name: name, changes: table.changes, offsets: table.offsets, rule: try footer())
    }

    struct Header {
        var version: Int
        var utcIndicators: Int
        var standardIndicators: Int
        var leapSeconds: Int
        var changes: Int
        var types: Int
        var nameBytes: Int

        func length(timeBytes: Int) -> Int {
            changes * (timeBytes + 1) + types * 6 + nameBytes + leapSeconds * (timeBytes + 4) + standardIndicators
                + utcIndicators
        }
    }

    mutating func header() throws(ZoneError) -> Header {
        guard bytes.count - position >= 44 else { throw damaged("the header is cut off") }
        guard bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
            throw damaged("the header does not begin with \"TZif\"")
        }
        let version = bytes[position + 4]
        guard version == 0 || (0x32...0x39).contains(version) else {
            throw damaged("unknown version \(version)")
        }
        position += 20
        let header = Header(
            version: version == 0 ? 1 : Int(version - 0x30), utcIndicators: count(), standardIndicators: count(),
            leapSeconds: count(), changes: count(), types: count(), nameBytes: count())
        guard header.leapSeconds == 0 else { throw damaged("leap seconds are not supported") }
        guard (1...256).contains(header.types) else { throw damaged("\(header.types) kinds of local time") }
        return header
    }

    /// Reads a count of the header, whose length has been checked.
    private mutating func count() -> Int {
        Int(truncatingIfNeeded: integer(byteCount: 4))
    }

    /// Reads a big-endian integer. The caller has checked that its bytes exist.
    private mutating func integer(byteCount: Int) -> UInt64 {
        defer { position += byteCount }
        return bytes[position..<position + byteCount].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func skip(_ count: Int) throws(ZoneError) {
        guard bytes.count - position >= count else { throw damaged("the first table is cut off") }
        position += count
    }

    /// Reads the changes and offsets of one table, except for changes that keep the offset.
    mutating func table(_ header: Header, timeBytes: Int) throws(ZoneError) -> (changes: [Int], offsets: [Int]) {
        guard bytes.count - position >= header.length(timeBytes: timeBytes) else {
            throw damaged("the table is cut off")
        }
        var times: [Int] = []
        times.reserveCapacity(header.changes)
        for _ in 0..<header.changes {
            let raw = integer(byteCount: timeBytes)
            let time = timeBytes == 4 ? Int(Int32(truncatingIfNeeded: raw)) : Int(Int64(bitPattern: raw))
            guard times.last.map({ $0 < time }) ?? true else { throw damaged("the changes are not in order") }
            times.append(time)
        }
        let kinds = bytes[position..<position + header.changes].map(Int.init)
        position += header.changes
        guard kinds.allSatisfy({ $0 < header.types }) else {
            throw damaged("a change leads to an unknown kind of local time")
        }
        var offsetOfKind: [Int] = []
        for _ in 0..<header.types {
            let offset = Int(Int32(truncatingIfNeeded: integer(byteCount: 4)))
            guard abs(offset) <= Zone.offsetSecondsMax else { throw damaged("an offset of \(offset) seconds") }
            offsetOfKind.append(offset)
            position += 2  // the daylight flag and the abbreviation's index, which nothing here needs
        }
        position += header.nameBytes + header.standardIndicators + header.utcIndicators
        return merged(times, kinds.map { offsetOfKind[$0] }, offsetBefore: offsetOfKind[0])
    }

    private func merged(_ times: [Int], _ offsetsAfter: [Int], offsetBefore: Int) -> (changes: [Int], offsets: [Int]) {
        var changes: [Int] = []
        var offsets = [offsetBefore]
        for (time, offset) in zip(times, offsetsAfter) where offset != offsets[offsets.count - 1] {
            // A change before the calendar begins only determines the first offset.
            if time <= Instant.earliest.secondsSince1970 {
                offsets[0] = offset
            } else if time < Instant.latest.secondsSince1970 {
                changes.append(time)
                offsets.append(offset)
            }
        }
        return (changes, offsets)
    }

    /// Reads the rule between the two line feeds after the second table. Returns nil if it is empty.
    mutating func footer() throws(ZoneError) -> ZoneRule? {
        guard position < bytes.count, bytes[position] == 0x0A,
            let end = bytes[(position + 1)...].firstIndex(of: 0x0A)
        else { throw damaged("the footer is missing") }
        let text = bytes[position + 1..<end]
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(text) else {
            throw damaged("the footer \(String(decoding: text.prefix(60), as: UTF8.self).quoted) is not a rule")
        }
        return rule
    }
}
