// The check that flips every bit of a journal and truncates its file everywhere. Each record read
// afterwards must be true, and each lost one must be reported.

import SimulatedDevices
import Testing

@testable import Journal

/// A journal that is damaged in every way.
struct FlipCheck {
    var wrap: (SimulatedDisk) -> any Disk = { $0 }
    /// The distance between bytes with flipped bits.
    var byteStep = 1
    private(set) var stateCount = 0
    private let image: DiskImage
    /// True if the previous segment can replace the newest one's base.
    private let hasSecondChance: Bool
    private let records: [Record]
    /// The number of records after the newest segment's base.
    private let laterCount: Int
    private let newest: String

    init(
        wrap: @escaping (SimulatedDisk) -> any Disk = { $0 }, byteStep: Int = 1, hasSecondChance: Bool = true
    ) throws {
        self.wrap = wrap
        self.byteStep = byteStep
        self.hasSecondChance = hasSecondChance
        let disk = SimulatedDisk()
        let journal = try Journal.open(disk, chunkBytes: CrashCheck.chunkBytes).journal
        var history = History(name: "to be damaged")
        history.append([60], [20, 60])
        history.append([44])
        history.compact(60, 80)
        history.append([60])
        history.append([0, 33], [60])
        history.append([420])
        history.append([60])
        history.append([60])
        for step in history.steps {
            switch step {
            case .append(let appends): try journal.append(together: appends)
            case .compact(let snapshot): try journal.compact(to: snapshot)
            case .restart: break
            }
        }
        journal.close()
        var image = disk.imageAfterWorstCut
        if !hasSecondChance {
            // One of its records is damaged already, and no start has detected that.
            let offset = try image.offset(of: "2:", in: 1)
            image.files[SegmentName.segment(1).text]?[offset] ^= 1
        }
        self.image = image
        records = try DirectoryScan(SimulatedDisk(image)).records
        laterCount = records.count - 2
        newest = try #require(image.files.keys.max())
    }

    mutating func run() throws {
        let size = image.files[newest]?.count ?? 0
        for offset in stride(from: 0, to: size, by: byteStep) {
            for bit in 0..<8 { try check("bit \(bit) of byte \(offset) flipped") { $0[offset] ^= 1 << bit } }
        }
        for length in stride(from: 0, to: size, by: byteStep) {
            try check("cut to \(length) bytes") { $0.removeLast($0.count - length) }
        }
    }

    private mutating func check(_ what: String, _ change: (inout [UInt8]) -> Void) throws {
        stateCount += 1
        var damaged = image
        change(&damaged.files[newest, default: []])
        let disk = SimulatedDisk(damaged)
        let opened = try Journal.open(wrap(disk), chunkBytes: CrashCheck.chunkBytes)
        let found = opened.records
        let report = opened.report
        // The previous segment replaces a damaged base; its records are those from before the compaction.
        let old = found.filter { record in record.sequence <= 4 }
        let isUnharmed = found == records || found.dropFirst(old.count) == records.dropFirst(2) && old.count == 4
        guard isUnharmed || !hasSecondChance || report.isDamaged || report.tornTail != nil else {
            throw BrokenPromise(description: "\(what): found \(described(found)), and nothing was said")
        }
        let invented = found.filter { $0.sequence > 4 && !records.contains($0) }
        guard invented.isEmpty else {
            throw BrokenPromise(description: "\(what): \(described(invented)) were never appended like that")
        }
        if !what.hasPrefix("cut") {
            // One bit lies in one record or in the header, so at most that record may be lost.
            let lost = records.dropFirst(hasSecondChance ? 2 : 0).filter { !found.contains($0) }
            guard lost.count <= 1 else {
                throw BrokenPromise(description: "\(what): \(described(Array(lost))) were lost")
            }
            guard lost.isEmpty || lost.last == records.last || report.isDamaged else {
                throw BrokenPromise(description: "\(what): \(described(Array(lost))) is missing, which is not said")
            }
        }
        // The recovered records last, and the damage is not reported again.
        let again = try Journal.open(SimulatedDisk(disk.imageAfterWorstCut), chunkBytes: CrashCheck.chunkBytes)
        guard again.records == found, !again.report.isDamaged, again.report.tornTail == nil else {
            throw BrokenPromise(description: "\(what): recovered, but not for good: \(again.report)")
        }
    }
}
