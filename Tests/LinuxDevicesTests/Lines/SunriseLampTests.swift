// The tests of the lamp of the sunrise, on a directory that stands for sysfs.

import Devices
import Foundation
import Oracles
import System
import Testing

@testable import LinuxDevices

@Suite(.timeLimit(.minutes(2))) struct SunriseLampTests {
    private let scratch: Scratch
    private let running: RunningLoop

    init() throws {
        scratch = try Scratch()
        running = try RunningLoop()
    }

    /// Writes files below `/sys/class`.
    private func write(_ files: [String: String]) throws {
        for (path, text) in files {
            let url = URL(fileURLWithPath: "\(scratch.path)/sys/class/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }

    private func read(_ path: String) -> Int? {
        SystemFile(path: "\(scratch.path)/sys/class/\(path)").text.flatMap(Int.init)
    }

    private func lamp(_ output: SunriseOutput) -> LinuxSunriseLamp {
        LinuxSunriseLamp(output, root: scratch.path, on: running.loop)
    }

    /// Polls, because a file reports no change here.
    private func waitUntil(_ isSo: () -> Bool) async throws {
        try await Oracles.waitUntil(everyMilliseconds: 1) { isSo() }
    }

    private static let led = ["leds/bed/max_brightness": "255\n", "leds/bed/brightness": "255\n"]
    private static let chip = ["pwm/pwmchip0/npwm": "2\n", "pwm/pwmchip0/export": ""]
    private static let channel = [
        "pwm/pwmchip0/pwm1/period": "0\n", "pwm/pwmchip0/pwm1/duty_cycle": "0\n", "pwm/pwmchip0/pwm1/enable": "0\n",
    ]

    @Test func led_followsTheLight_andIsOffAtTheEnd() async throws {
        try write(SunriseLampTests.led)
        let lamp = lamp(.led("bed"))
        var reports = lamp.reports.makeAsyncIterator()
        #expect(await reports.next() == .ready)
        // A killed service had left it on.
        #expect(read("leds/bed/brightness") == 0)
        let now = Uptime.milliseconds
        lamp.show(.rising(fromUptime: now, untilUptime: now + 1000))
        try await waitUntil { (1...254).contains(read("leds/bed/brightness") ?? 0) }
        try await waitUntil { read("leds/bed/brightness") == 255 }
        lamp.show(nil)
        try await waitUntil { read("leds/bed/brightness") == 0 }
        lamp.show(.full)
        try await waitUntil { read("leds/bed/brightness") == 255 }
        lamp.end()
        #expect(await reports.next() == nil)
        #expect(read("leds/bed/brightness") == 0)
    }

    /// The kernel makes the folder of a channel when its number is written to `export`.
    @Test func channel_isExported_andDimmed() async throws {
        try write(SunriseLampTests.chip)
        let lamp = lamp(.pwm(chip: 0, channel: 1))
        var reports = lamp.reports.makeAsyncIterator()
        lamp.show(.full)
        try await waitUntil { read("pwm/pwmchip0/export") == 1 }
        try write(SunriseLampTests.channel)
        #expect(await reports.next() == .ready)
        try await waitUntil { read("pwm/pwmchip0/pwm1/enable") == 1 }
        #expect(read("pwm/pwmchip0/pwm1/period") == 1_000_000)
        #expect(read("pwm/pwmchip0/pwm1/duty_cycle") == 1_000_000)
        let now = Uptime.milliseconds
        // So slow that the middle lasts for half a minute.
        lamp.show(.rising(fromUptime: now - 3_000_000, untilUptime: now + 3_000_000))
        // Half of the perceived brightness needs a fifth of the power.
        try await waitUntil { (180_000...200_000).contains(read("pwm/pwmchip0/pwm1/duty_cycle") ?? 0) }
        lamp.show(nil)
        try await waitUntil { read("pwm/pwmchip0/pwm1/enable") == 0 }
        #expect(read("pwm/pwmchip0/pwm1/duty_cycle") == 0)
        lamp.end()
        #expect(await reports.next() == nil)
    }

    @Test func channelOfAKilledService_isSwitchedOff() throws {
        try write(SunriseLampTests.chip)
        let output = SunriseOutput.pwm(chip: 0, channel: 1)
        // A channel without a folder is off, and stays without one.
        #expect(switchOff(output, root: scratch.path) == nil)
        #expect(read("pwm/pwmchip0/export") == nil)
        try write([
            "pwm/pwmchip0/pwm1/period": "500\n", "pwm/pwmchip0/pwm1/duty_cycle": "400\n",
            "pwm/pwmchip0/pwm1/enable": "1\n",
        ])
        #expect(switchOff(output, root: scratch.path) == nil)
        #expect(read("pwm/pwmchip0/pwm1/enable") == 0 && read("pwm/pwmchip0/pwm1/duty_cycle") == 0)
    }

    @Test(arguments: [
        (SunriseOutput.pwm(chip: 1, channel: 0), "no PWM chip pwmchip1 (this machine has pwmchip0)"),
        (.pwm(chip: 0, channel: 2), "pwmchip0 has no channel 2, but only 2: the first is 0"),
        (.led("desk"), "no LED desk in /sys/class/leds (only bed)"),
    ])
    func lampThatCannotBeUsed_saysWhy(output: SunriseOutput, text: String) async throws {
        try write(SunriseLampTests.led.merging(SunriseLampTests.chip) { $1 })
        let lamp = lamp(output)
        var reports = lamp.reports.makeAsyncIterator()
        guard case .failed(let failure) = await reports.next() else { throw POSIXError(.EPROTO) }
        #expect("\(failure)".hasPrefix(text), "\(failure)")
        lamp.end()
    }

    @Test func machineWithoutAChip_namesTheOverlay() async throws {
        let lamp = lamp(.pwm(chip: 0, channel: 0))
        var reports = lamp.reports.makeAsyncIterator()
        guard case .failed(let failure) = await reports.next() else { throw POSIXError(.EPROTO) }
        #expect("\(failure)".contains("dtoverlay=pwm"))
        // The lamp is used once the chip is there.
        try write(SunriseLampTests.chip.merging(SunriseLampTests.channel) { $1 })
        try write(["pwm/pwmchip0/pwm0/period": "0\n", "pwm/pwmchip0/pwm0/duty_cycle": "0\n"])
        try write(["pwm/pwmchip0/pwm0/enable": "0\n"])
        #expect(await reports.next() == .ready)
        lamp.end()
    }

    @Test func lampThatIsLost_isReported_andReturns() async throws {
        try write(SunriseLampTests.led)
        let lamp = lamp(.led("bed"))
        var reports = lamp.reports.makeAsyncIterator()
        #expect(await reports.next() == .ready)
        try FileManager.default.removeItem(atPath: "\(scratch.path)/sys/class/leds/bed")
        lamp.show(.full)
        guard case .failed = await reports.next() else { throw POSIXError(.EPROTO) }
        try write(SunriseLampTests.led)
        while let report = await reports.next(), report != .ready {}
        try await waitUntil { read("leds/bed/brightness") == 255 }
        lamp.end()
    }
}
