// The tests of a shaker's pulses.

import Testing

@testable import Devices

@Suite struct ShakingTests {
    /// Returns the lengths of the first pulses, from the times of the changes.
    private func pulses(_ shaking: Shaking, from start: Int, count: Int) -> [Int] {
        var (uptime, pulses) = (start, [Int]())
        while pulses.count < count {
            let (isOn, until) = shaking.output(at: uptime)
            #expect(until > uptime)
            if isOn { pulses.append(until - uptime) }
            uptime = until
        }
        return pulses
    }

    @Test func pulses_growWithTheRamp_andStayLong() {
        let shaking = Shaking(rampSeconds: 8, startUptime: 5000)
        #expect(pulses(shaking, from: 5000, count: 6) == [100, 325, 550, 775, 1000, 1000])
    }

    @Test func pulses_withoutARamp_areLongAtOnce() {
        #expect(pulses(Shaking(rampSeconds: 0, startUptime: 0), from: 0, count: 2) == [1000, 1000])
    }

    /// The clock of a restarted machine may be before the start of the ramp, as far as the shaker can tell.
    @Test func motor_beforeTheStart_isOn() {
        let (isOn, until) = Shaking(rampSeconds: 30, startUptime: 5000).output(at: 0)
        #expect(isOn && until == 5100)
    }
}
