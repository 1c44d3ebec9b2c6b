// The tests of disks that fail at each operation, once, twice or for good, with power cuts after that.

import Oracles
import SimulatedDevices
import Testing

@Suite struct FaultPointTests {
    @Test(arguments: DiskFault.Kind.allCases)
    func failureOfAnyOperation_losesNoAcknowledgedRecord(kind: DiskFault.Kind) throws {
        var check = FaultCheck(kinds: [kind])
        if Thoroughness.isFull {
            check.cuts = Cuts(partsMax: 3, tearBytes: nil, drawn: 2)
            check.instantsMax = 12
        }
        try check.run(.scripted)
        try check.run(.uniform)
        for seed in 0..<UInt64(Thoroughness.pick(0, full: 4)) { try check.run(.random(seed: seed)) }
        print("\(kind): \(check.faultCount) faults, \(check.stateCount) states recovered from")
    }

    /// The journal's reaction to a failure fails as well. `broken` is left out: it also fails reads, and the
    /// journal reports unreadable bytes as damage.
    @Test(arguments: [DiskFault.Kind.full, .worn, .short])
    func failureOfAnyTwoOperations_losesNoAcknowledgedRecord(kind: DiskFault.Kind) throws {
        var check = FaultCheck(kinds: [kind], instantsMax: 6)
        if Thoroughness.isFull { check.instantsMax = 10 }
        let gaps = stride(from: 0, to: 14, by: Thoroughness.pick(2, full: 1))
        try check.runTwice(.uniform, gaps: gaps)
        if Thoroughness.isFull { try check.runTwice(.scripted, gaps: gaps) }
        print("\(kind), twice: \(check.faultCount) pairs of faults, \(check.stateCount) states recovered from")
    }
}
