// Power cuts at every instant.

import Oracles
import Testing

@Suite struct CrashPointTests {
    @Test func everyByteOfEveryWrite_whenThePowerIsCutThere() throws {
        let check = CrashCheck(cuts: Cuts(tearBytes: Thoroughness.pick(5, full: 1)))
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

    @Test func randomHistories_whenThePowerIsCutAtEveryInstant() throws {
        let check = CrashCheck(cuts: Cuts(tearBytes: 61), inRecovery: nil)
        for seed in 0..<UInt64(Thoroughness.pick(5, full: 500)) { _ = try check.run(.random(seed: seed)) }
        print("\(check.stateCount) states of random histories recovered from")
    }
}
