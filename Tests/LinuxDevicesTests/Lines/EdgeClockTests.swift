// The tests of edges on the clock that includes suspended time.

import Testing

@testable import LinuxDevices

@Suite struct EdgeClockTests {
    private let slept = EdgeClock(monotonicNanoseconds: 5_000_000_000, bootNanoseconds: 65_000_000_999)

    @Test func edge_hasTheSameAgeOnBothClocks() {
        #expect(slept.uptime == 65_000)
        #expect(slept.uptime(ofEdgeAt: 5_000_000_000) == 65_000)
        #expect(slept.uptime(ofEdgeAt: 4_998_500_000) == 64_998)
    }

    @Test(arguments: [0, 5_000_000_001, 1_700_000_000_000_000_000, UInt64.max]) func wrongTimestamp_isNil(stamp: UInt64)
    {
        #expect(slept.uptime(ofEdgeAt: stamp) == nil)
    }
}
