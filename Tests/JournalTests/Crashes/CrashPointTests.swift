// Power cuts at every instant.

import Oracles
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct CrashPointTests {
    @Test func everyByteOfEveryWrite_whenThePowerIsCutThere() throws {
        let check = CrashCheck(cuts: Cuts(tearBytes: Thoroughness.pick(9, full: 1)))
        _ = try check.run(.scripted)
        _ = try check.run(.uniform)
        print("\(check.stateCount) states recovered from")
    }

    @Test func recovery_whenItIsCutAtEveryInstant() throws {
        let check = CrashCheck(cuts: Cuts(partsMax: 3, tearBytes: 97), inRecovery: .few)
        _ = try check.run(.scripted)
        _ = try check.run(.uniform)
        print("\(check.stateCount) states recovered from, cut again while recovering")
    }

    /// However often the recovery of a damaged journal is cut: until its file is set aside for good, its damage is said.
    @Test(arguments: DamagedImage.allCases)
    func damagedJournal_whenThePowerIsCut(damage: DamagedImage) throws {
        let cuts = Cuts(partsMax: 6, tearBytes: 251)
        let check = CrashCheck(cuts: cuts, inRecovery: .few, damaged: try damage.image())
        _ = try check.run(.short)
        print("\(damage): \(check.stateCount) states recovered from")
    }

    @Test func randomHistories_whenThePowerIsCutAtEveryInstant() throws {
        let check = CrashCheck(cuts: Cuts(tearBytes: 61), inRecovery: nil)
        for seed in 0..<UInt64(Thoroughness.pick(5, full: 150)) { _ = try check.run(.random(seed: seed)) }
        print("\(check.stateCount) states of random histories recovered from")
    }
}

/// Journals with a second chance that are damaged in one place.
enum DamagedImage: CaseIterable {
    case header, base, oneRecord, unfinishedAppend

    func image() throws -> DiskImage {
        let disk = SimulatedDisk()
        let journal = try Journal.Opened.on(disk).journal
        for word in ["a", "b", "c"] { try journal.append([record(word)]) }
        try journal.compact(to: [record("snapshot")])
        try journal.append([record("d")])
        try journal.append([record("e"), record("f")])
        var image = disk.imageAfterWorstCut
        let name = SegmentName.segment(2).text
        let bytes = try #require(image.files[name])
        let offset =
            switch self {
            case .header: 20
            case .base: try #require(bytes.firstIndex(of: UInt8(ascii: "s")))
            case .oneRecord: try #require(bytes.firstIndex(of: UInt8(ascii: "d")))
            case .unfinishedAppend: try #require(bytes.firstIndex(of: UInt8(ascii: "f")))
            }
        image.files[name]?[offset] ^= 1
        return image
    }
}
