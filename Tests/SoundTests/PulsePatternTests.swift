// The tests of the buzzer's patterns, by which a sleeper recognises the alarm.

import Oracles
import Testing

@testable import Sound

@Suite struct PulsePatternTests {
    /// Returns a tone that alternates with silence, each for the given milliseconds.
    func pulses(_ milliseconds: [Int], rate: Int = 48_000) -> Samples {
        var values: [Float] = []
        for (index, length) in milliseconds.enumerated() {
            let count = length * rate / 1000
            values += (0..<count).map { index % 2 == 0 ? ($0 % 100 < 50 ? 0.5 : -0.5) : 0 }
        }
        return Samples(values: values, rate: rate)
    }

    @Test func pattern_followsTheSound() {
        #expect(PulsePattern(of: pulses([100, 100, 100, 700])).milliseconds == [100, 100, 100, 700])
        #expect(PulsePattern(of: pulses([250, 1000], rate: 8000)).milliseconds == [250, 1000])
    }

    @Test func leadingSilence_movesToTheEnd() {
        #expect(PulsePattern(of: pulses([0, 500, 200, 300, 400, 100])).milliseconds == [200, 300, 400, 600])
    }

    @Test func soundThatEndsAsItBegins_isOnePulse() {
        #expect(PulsePattern(of: pulses([100, 300, 200])).milliseconds == [300, 300])
    }

    @Test func soundWithoutPulses_getsTheStandardPattern() {
        let tone = pulses([5000])
        let silence = Samples(values: [Float](repeating: 0, count: 48_000), rate: 48_000)
        let tooLong = pulses([3000, 500])
        let clicks = pulses([25, 975])
        for samples in [tone, silence, tooLong, clicks, Samples(values: [], rate: 48_000)] {
            #expect(PulsePattern(of: samples) == .standard)
        }
    }

    /// For every sound the pattern alternates noise and silence, and neither is longer than two seconds.
    @Test func everySound_getsAPatternWithoutLongPulses() {
        var random = SeededRandom(seed: 3)
        let drawn = (0..<100).map { _ in
            pulses((0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...900, using: &random) })
        }
        for samples in BuiltInSound.all.map({ $0.samples() }) + drawn {
            let pulses = PulsePattern(of: samples).milliseconds
            #expect(pulses.count >= 2 && pulses.count.isMultiple(of: 2))
            #expect(pulses.allSatisfy { 25...4000 ~= $0 }, "\(pulses)")
        }
    }

    @Test func phases_repeatInOrder() throws {
        let pulses = try #require(PulsePattern([100, 200, 50, 10]))
        for elapsed in 0..<2 * pulses.lengthMilliseconds {
            let (isOn, left) = pulses.phase(after: elapsed)
            let place = elapsed % 360
            #expect(isOn == (place < 100 || 300..<350 ~= place))
            #expect(pulses.phase(after: elapsed + left).isOn != isOn)
            #expect(left == 1 || pulses.phase(after: elapsed + left - 1).isOn == isOn)
        }
    }

    @Test(arguments: [[], [100], [100, 0], [-1, 5], [100, 100, 100], [9, 100], [100, 60_001]])
    func invalidPattern_isNil(milliseconds: [Int]) {
        #expect(PulsePattern(milliseconds) == nil)
    }
}
