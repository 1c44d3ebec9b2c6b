// Records and journals for tests.

import Journal
import SimulatedDevices

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

/// What a journal's directory holds after some work on it.
func image(after work: (Journal) throws -> Void) throws -> DiskImage {
    let disk = SimulatedDisk()
    let opened = try Journal.Opened.on(disk)
    try work(opened.journal)
    return disk.imageAfterWorstCut
}
