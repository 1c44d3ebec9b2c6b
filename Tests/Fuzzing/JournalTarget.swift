// The fuzz target for a journal's file: it reads, appends, and reads again.

import Journal
import SimulatedDevices

/// Checks the promises of the journal's reader.
///
/// The raw bytes almost always fail at their checksums. A second run therefore corrects the checksums. Both
/// run alone and as two segments of which one follows the other.
func fuzzJournal(_ bytes: [UInt8]) throws(BrokenPromise) {
    try promiseRecovery(of: [first: bytes])
    let sound = withSoundChecksums(bytes)
    try promiseRecovery(of: [first: sound])
    let following = withSoundChecksums(bytes, ofSegment: 2)
    try promiseRecovery(of: [first: sound, second: following])
    try promiseRecovery(of: [first: bytes, second: following])
}

private let first = "journal-000000000001"
private let second = "journal-000000000002"

private func promiseRecovery(of files: [String: [UInt8]]) throws(BrokenPromise) {
    let disk = SimulatedDisk(DiskImage(files: files))
    let inspection: Inspection
    let opened: Journal.Opened
    do {
        inspection = try Inspection(journalOn: disk)
        opened = try Journal.open(disk, chunkBytes: 512)
    } catch {
        try promiseReadable("\(error)", bytesMax: 300)
        try promise(files.keys.contains { "\(error)".contains($0) }, "\(error) does not name the file")
        try promise(disk.currentImage.files == files, "what could not be opened was changed")
        return
    }
    for damage in opened.report.damage { try promiseReadable("\(damage)", bytesMax: 300) }
    if let torn = opened.report.tornTail { try promiseReadable("\(torn)", bytesMax: 300) }
    let records = opened.records
    try promise(inspection.records == records, "it was inspected and opened with different records")
    let sequences = records.map(\.sequence)
    try promise(
        zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }, "the records are not in order: \(sequences)")
    for damage in opened.report.damage {
        try promise(
            disk.currentImage.files["\(damage.file).aside"] == files[damage.file],
            "\(damage.file) was not set aside as it was")
    }
    // A sequence number near the limit needs more records than any disk holds.
    guard sequences.last ?? 0 < 1 << 60 else { return }
    try promiseGoesOn(opened, on: disk)
}

/// Checks that recovered records stay, an appended record joins them, and the next start finds no damage.
private func promiseGoesOn(_ opened: Journal.Opened, on disk: SimulatedDisk) throws(BrokenPromise) {
    do {
        let new = NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: Array("new".utf8))
        let appended = try opened.journal.append([new])
        let again = try Journal.open(SimulatedDisk(disk.imageAfterWorstCut), chunkBytes: 512)
        try promise(
            again.records == opened.records + appended, "after an append, \(again.records.count) records were found")
        try promise(
            !again.report.isDamaged && again.report.tornTail == nil, "what was recovered is not sound: \(again.report)")
    } catch let error as BrokenPromise {
        throw error
    } catch {
        throw BrokenPromise(description: "a recovered journal refused: \(error)")
    }
}
