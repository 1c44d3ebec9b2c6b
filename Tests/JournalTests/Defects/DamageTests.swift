// Flipped bits and files that were cut short.

import Oracles
import Testing

@Suite struct DamageTests {
    @Test func everyBit_whenItIsFlipped_andEveryLength() throws {
        var check = try FlipCheck(byteStep: Thoroughness.pick(5, full: 1))
        try check.run()
        print("\(check.stateCount) damaged journals read")
    }

    /// Beside a segment before that is damaged as well, nothing is given up that can be read.
    @Test func everyBit_whenItIsFlipped_andTheSecondChanceIsDamaged() throws {
        var check = try FlipCheck(byteStep: Thoroughness.pick(7, full: 1), hasSecondChance: false)
        try check.run()
        print("\(check.stateCount) journals read that were damaged twice")
    }
}
