// The records and journals for the tests of this folder.

import SimulatedDevices
import Testing

@testable import Journal

/// Returns a record whose payload is a word.
func record(_ word: String) -> NewRecord {
    NewRecord(RecordKind(rawValue: 3), millisecondsSince1970: 1_767_225_600_123, payload: Array(word.utf8))
}

/// Returns the payloads of the records as text.
func texts(_ records: [Record]) -> [String] {
    records.map { String(decoding: $0.payload, as: UTF8.self) }
}

extension Journal.Opened {
    /// Opens a journal with small segments, so that a test writes little.
    static func on(_ disk: any Disk) throws(JournalError) -> Journal.Opened {
        try Journal.open(disk, chunkBytes: 1024)
    }

    static func on(_ image: DiskImage) throws(JournalError) -> Journal.Opened {
        try on(SimulatedDisk(image))
    }
}

/// Returns a new journal with a record for each word, and its disk.
func newJournal(_ texts: String...) throws -> (disk: SimulatedDisk, journal: Journal) {
    let disk = SimulatedDisk()
    let journal = try Journal.Opened.on(disk).journal
    for word in texts { try journal.append([record(word)]) }
    return (disk, journal)
}

/// Returns the files of a new journal after `work` and a power cut.
func image(after work: (Journal) throws -> Void) throws -> DiskImage {
    let disk = SimulatedDisk()
    let opened = try Journal.Opened.on(disk)
    try work(opened.journal)
    return disk.imageAfterWorstCut
}

/// Returns a journal with a second chance: a compaction after three records, and two records after that.
func imageWithSecondChance() throws -> DiskImage {
    try image { journal in
        for word in ["a", "b", "c"] { try journal.append([record(word)]) }
        try journal.compact(to: [record("abc")])
        try journal.append([record("d")])
        try journal.append([record("e")])
    }
}

extension DiskImage {
    /// Returns the offset, within a segment, of the payload that begins with a word.
    func offset(of word: String, in number: UInt64) throws -> Int {
        let name = SegmentName.segment(number).text
        let file = try SimulatedDisk(self).open(name, for: .reading)
        var reader = SegmentReader(window: try FileWindow(file, name: name), number: number)
        let found = reader.firstRecord(from: Sector.bytes, before: reader.size) {
            $0.record.payload.starts(with: word.utf8)
        }
        return try #require(found, "\(name) has no record \(word)").offset + StoredRecord.headerBytes
    }

    /// Flips a bit of the record that begins with a word.
    mutating func damage(_ word: String, in number: UInt64) throws {
        let offset = try offset(of: word, in: number)
        files[SegmentName.segment(number).text]?[offset] ^= 1
    }
}
