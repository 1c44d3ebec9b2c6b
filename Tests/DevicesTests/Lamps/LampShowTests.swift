// The tests of a lamp's output over time.

import Sound
import Testing

@testable import Devices

@Suite struct LampShowTests {
    /// Returns the outputs between two times, queried only when the lamp announces a change.
    private func changes(_ show: LampState, from start: Int, to end: Int) -> [String] {
        var (uptime, texts): (Int?, [String]) = (start, [])
        while let now = uptime, now < end {
            let (isOn, until) = show.output(at: now)
            #expect(until.map { $0 > now } ?? true)
            texts.append("\(now):\(isOn ? 1 : 0)")
            uptime = until
        }
        return texts
    }

    @Test func steadyLamp_changesOnce() {
        var show = LampState()
        #expect(changes(show, from: 0, to: 9999) == ["0:0"])
        show.show(.on, uptime: 10)
        #expect(changes(show, from: 10, to: 9999) == ["10:1"])
    }

    @Test func repeatedBlinkingOrder_doesNotRestartThePattern() throws {
        let pulses = try #require(PulsePattern([100, 200]))
        var show = LampState()
        show.show(.blinking(pulses), uptime: 1000)
        show.show(.blinking(pulses), uptime: 1050)
        #expect(changes(show, from: 1000, to: 1500) == ["1000:1", "1100:0", "1300:1", "1400:0"])
        #expect(changes(show, from: 1350, to: 1450) == ["1350:1", "1400:0"])
    }

    @Test func flash_onASteadyLamp_isShownOnce() throws {
        let pulses = try #require(PulsePattern([100, 50, 100, 50]))
        var show = LampState()
        show.show(.on, uptime: 0)
        show.flash(pulses, uptime: 500)
        #expect(
            changes(show, from: 500, to: 9999) == ["500:0", "650:1", "750:0", "800:1", "900:0", "950:1"])
        show.show(.off, uptime: 700)
        #expect(changes(show, from: 900, to: 9999) == ["900:0", "950:0"])
    }
}
