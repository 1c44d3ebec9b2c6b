// The tests of flipped bits and truncated files.

import Oracles
import Testing

@Suite struct DamageTests {
    @Test func flippedBit_orAnyLength_losesNoReadableRecord() throws {
        var check = try FlipCheck(byteStep: Thoroughness.pick(5, full: 1))
        try check.run()
        print("\(check.stateCount) damaged journals read")
    }

    /// If the previous segment is damaged too, recovery must not give up a readable record.
    @Test func flippedBit_withADamagedSecondChance_losesNoReadableRecord() throws {
        var check = try FlipCheck(byteStep: Thoroughness.pick(7, full: 1), hasSecondChance: false)
        try check.run()
        print("\(check.stateCount) journals read that were damaged twice")
    }
}
