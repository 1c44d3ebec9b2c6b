// Flipped bits and files that were cut short.

import Oracles
import Testing

@Suite struct DamageTests {
    @Test func everyBit_whenItIsFlipped_andEveryLength() throws {
        var check = try FlipCheck(byteStep: Thoroughness.pick(5, full: 1))
        try check.run()
        print("\(check.stateCount) damaged journals read")
    }
}
