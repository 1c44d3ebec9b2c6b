// Disks that fail at every operation, once or for good, and power cuts after that.

import Oracles
import SimulatedDevices
import Testing

@Suite struct FaultPointTests {
    @Test(arguments: DiskFault.Kind.allCases)
    func everyOperation_whenItFails(kind: DiskFault.Kind) throws {
        var check = FaultCheck(kinds: [kind])
        if Thoroughness.isFull { check.cuts = Cuts(partsMax: 5, tearBytes: 61) }
        try check.run(.scripted)
        try check.run(.uniform)
        for seed in 0..<UInt64(Thoroughness.pick(0, full: 40)) { try check.run(.random(seed: seed)) }
        print("\(kind): \(check.faultCount) faults, \(check.stateCount) states recovered from")
    }
}
