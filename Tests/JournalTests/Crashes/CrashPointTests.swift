// The tests of power cuts at every instant.

import Oracles
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct CrashPointTests {
    @Test func powerCut_atEveryByteOfEveryWrite_losesNoAcknowledgedRecord() throws {
        let check = CrashCheck(cuts: Cuts(tearBytes: Thoroughness.pick(9, full: 1)))
        _ = try check.run(.scripted)
        _ = try check.run(.uniform)
        print("\(check.stateCount) states recovered from")
    }

    @Test func powerCut_atEveryInstantOfARecovery_losesNoAcknowledgedRecord() throws {
        let check = CrashCheck(cuts: Cuts(partsMax: 3, tearBytes: 97), inRecovery: .few)
        _ = try check.run(.scripted)
        _ = try check.run(.uniform)
        print("\(check.stateCount) states recovered from, cut again while recovering")
    }

    /// If the power fails during recovery, each start reports the damage until its file is set aside.
    @Test(arguments: DamagedImage.allCases)
    func powerCut_withADamagedJournal_keepsTheReportOfTheDamage(damage: DamagedImage) throws {
        let cuts = Cuts(partsMax: 6, tearBytes: 251)
        let check = CrashCheck(cuts: cuts, inRecovery: .few, damaged: try damage.journal())
        _ = try check.run(.short)
        print("\(damage): \(check.stateCount) states recovered from")
    }

    @Test func powerCut_inRandomHistories_losesNoAcknowledgedRecord() throws {
        let check = CrashCheck(cuts: Cuts(tearBytes: 61), inRecovery: nil)
        for seed in 0..<UInt64(Thoroughness.pick(5, full: 150)) { _ = try check.run(.random(seed: seed)) }
        print("\(check.stateCount) states of random histories recovered from")
    }
}

/// Journals with a second chance that are damaged in one place, or in both files.
enum DamagedImage: CaseIterable {
    case header, base, oneRecord, unfinishedAppend, baseAndSecondChance

    func journal() throws -> DamagedJournal {
        let (disk, journal) = try newJournal("a", "b", "c")
        try journal.compact(to: [record("snapshot")])
        try journal.append([record("d")])
        try journal.append([record("e"), record("f")])
        var image = disk.imageAfterWorstCut
        switch self {
        case .header: image.files[SegmentName.segment(2).text]?[20] ^= 1
        case .base: try image.damage("snapshot", in: 2)
        case .oneRecord: try image.damage("d", in: 2)
        case .unfinishedAppend: try image.damage("f", in: 2)
        case .baseAndSecondChance:
            try image.damage("snapshot", in: 2)
            try image.damage("b", in: 1)
        }
        return DamagedJournal(image: image, kept: kept)
    }

    private var kept: [SegmentName] {
        switch self {
        case .header, .base, .oneRecord: [.setAside(2)]
        case .unfinishedAppend: [.tail(2)]
        case .baseAndSecondChance: [.setAside(1), .setAside(2)]
        }
    }
}
