// The tests of a ring's level over time.

import Testing

@testable import Sound

@Suite struct RampTests {
    @Test func ramp_risesEvenlyInDecibels_andStaysAtItsTop() {
        let ramp = Ramp(volume: 1, seconds: 30, startUptime: 5000)
        #expect(ramp.level(atUptime: 0) == -40)
        #expect(ramp.level(atUptime: 5000) == -40)
        for (seconds, decibels) in [(7.5, -30.0), (15, -20), (22.5, -10), (30, 0), (3000, 0)] {
            let level = ramp.level(atUptime: 5000 + Int(seconds * 1000)) ?? 1
            #expect(abs(level - decibels) < 0.001, "\(seconds) s: \(level)")
        }
    }

    @Test func volume_isAFractionOfTheFullGain() {
        let ramp = Ramp(volume: 0.5, seconds: 0, startUptime: 0)
        #expect(ramp.gain(atUptime: 0) == 0.5)
        #expect(Ramp(volume: 7, seconds: 0, startUptime: 0).gain(atUptime: 1) == 1)
        #expect(Ramp(volume: .nan, seconds: 0, startUptime: 0).gain(atUptime: 1) == 1)
        #expect(Ramp(volume: -1, seconds: 0, startUptime: 0).level(atUptime: 1) == nil)
    }
}
