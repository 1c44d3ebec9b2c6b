// Records and journals for tests.

import SimulatedDevices
import Testing

@testable import Journal

/// A record that says a word.
func record(_ word: String) -> NewRecord {
    NewRecord(RecordKind(rawValue: 3), millisecondsSince1970: 1_767_225_600_123, payload: Array(word.utf8))
}

/// What records say.
func words(_ records: [Record]) -> [String] {
    records.map { String(decoding: $0.payload, as: UTF8.self) }
}

extension Journal.Opened {
    /// Small segments, so that little is written for a test.
    static func on(_ disk: any Disk) throws(JournalError) -> Journal.Opened {
        try Journal.open(disk, chunkBytes: 1024)
    }

    static func on(_ image: DiskImage) throws(JournalError) -> Journal.Opened {
        try on(SimulatedDisk(image))
    }
}

/// A new journal with a record for each word, and its disk.
func newJournal(_ words: String...) throws -> (disk: SimulatedDisk, journal: Journal) {
    let disk = SimulatedDisk()
    let journal = try Journal.Opened.on(disk).journal
    for word in words { try journal.append([record(word)]) }
    return (disk, journal)
}

/// What a journal's directory holds after some work on it.
func image(after work: (Journal) throws -> Void) throws -> DiskImage {
    let disk = SimulatedDisk()
    let opened = try Journal.Opened.on(disk)
    try work(opened.journal)
    return disk.imageAfterWorstCut
}

/// What holds a journal with a second chance: a compaction after three records, and two records after that.
func imageWithSecondChance() throws -> DiskImage {
    try image { journal in
        for word in ["a", "b", "c"] { try journal.append([record(word)]) }
        try journal.compact(to: [record("abc")])
        try journal.append([record("d")])
        try journal.append([record("e")])
    }
}

extension DiskImage {
    /// Where in a segment the payload begins that begins with a word.
    func offset(of word: String, in number: UInt64) throws -> Int {
        let name = SegmentName.segment(number).text
        let file = try SimulatedDisk(self).open(name, for: .reading)
        var reader = SegmentReader(window: try FileWindow(file, name: name), number: number)
        let found = reader.firstRecord(from: Sector.bytes, before: reader.size) {
            $0.record.payload.starts(with: word.utf8)
        }
        return try #require(found, "\(name) has no record \(word)").offset + StoredRecord.headerBytes
    }

    /// Flips a bit of a record.
    mutating func damage(_ word: String, in number: UInt64) throws {
        let offset = try offset(of: word, in: number)
        files[SegmentName.segment(number).text]?[offset] ^= 1
    }
}
