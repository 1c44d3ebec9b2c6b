// The tests of lamps and a buzzer on lines that the kernel simulates.

import Devices
import Foundation
import Oracles
import SimulatedChip
import Sound
import System
import Testing

@testable import LinuxDevices

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: SimulatedChip.isThere, "there is no gpio-sim"))
struct GpioOutputTests {
    private let chip: SimulatedChip
    private let running: RunningLoop

    init() throws {
        chip = try SimulatedChip(["GPIO22", "GPIO5"])
        running = try RunningLoop()
    }

    private func output(_ line: String, active: ActiveLevel = .high) -> LineOutput {
        LineOutput(LineName(line, chip: chip.label), active: active)
    }

    /// Polls, because the kernel reports no change of a simulated line.
    private func waitUntil(_ isSo: () throws -> Bool) async throws {
        try await Oracles.waitUntil(everyMilliseconds: 1) { try isSo() }
    }

    // MARK: lamps

    @Test func lamps_followTheirOrders() async throws {
        let lamps = LinuxLamps(
            [.status: output("GPIO22"), .camera: output("GPIO5", active: .low)], on: running.loop)
        var reports = lamps.reports.makeAsyncIterator()
        let ready = Set([await reports.next(), await reports.next()])
        #expect(ready == [.ready(.status), .ready(.camera)])
        #expect(try !chip.isHigh(0) && chip.isHigh(1))
        lamps.show(.on, on: .camera)
        try await waitUntil { try !chip.isHigh(1) }
        lamps.show(.blinking(try #require(PulsePattern([30, 30]))), on: .status)
        for _ in 0..<3 {
            try await waitUntil { try chip.isHigh(0) }
            try await waitUntil { try !chip.isHigh(0) }
        }
        lamps.show(.on, on: .status)
        try await waitUntil { try chip.isHigh(0) }
        // Long enough for a test that polls. `LampShow` decides the parts of a flash.
        lamps.flash(try #require(PulsePattern([10, 2000])), on: .status)
        for isHigh in [false, true] { try await waitUntil { try chip.isHigh(0) == isHigh } }
        #expect(try !chip.isHigh(1))
        lamps.show(.off, on: .camera)
        try await waitUntil { try chip.isHigh(1) }
        lamps.end()
        #expect(await reports.next() == nil)
        #expect(try !chip.isHigh(0))
    }

    @Test func lampWhoseChipReturns_followsItsOrder() async throws {
        let lamps = LinuxLamps([.status: output("GPIO22")], on: running.loop)
        var reports = lamps.reports.makeAsyncIterator()
        #expect(await reports.next() == .ready(.status))
        chip.unplug()
        // Without udev, a lamp reports a missing chip only when it is set.
        lamps.show(.on, on: .status)
        guard case .failed(.status, _) = await reports.next() else { throw POSIXError(.EPROTO) }
        try chip.plug()
        while let report = await reports.next(), report != .ready(.status) {}
        try await waitUntil { try chip.isHigh(0) }
        lamps.end()
        #expect(await reports.next() == nil)
    }

    // MARK: buzzer

    @Test func buzzer_pulses_untilItIsStopped() async throws {
        let buzzer = try LinuxBuzzer.start(output("GPIO22"))
        try buzzer.check()
        #expect(try !chip.isHigh(0))
        try buzzer.buzz(PulsePattern([40, 40]))
        #expect(try chip.isHigh(0))
        for isHigh in [false, true, false, true] { try await waitUntil { try chip.isHigh(0) == isHigh } }
        try buzzer.buzz(nil)
        // Longer than a pulse and its pause.
        let end = Uptime.milliseconds + 100
        while Uptime.milliseconds < end { #expect(try !chip.isHigh(0)) }
        buzzer.end()
        _ = try GpioLine(output("GPIO22"))
    }

    @Test func buzzerWhoseChipReturns_sounds() async throws {
        let buzzer = try LinuxBuzzer.start(output("GPIO22"))
        try buzzer.buzz(PulsePattern([40, 40]))
        chip.unplug()
        try chip.plug()
        for isHigh in [true, false, true] { try await waitUntil { try chip.isHigh(0) == isHigh } }
        chip.unplug()
        try buzzer.buzz(nil)
        #expect(throws: LineFailure.self) { try buzzer.buzz(.standard) }
        buzzer.end()
    }

    @Test func buzzerOnABusyLine_namesTheHolder() throws {
        let other = try GpioLine(output("GPIO22"))
        let buzzer = try LinuxBuzzer.start(output("GPIO22"))
        #expect(throws: LineFailure.busy(output("GPIO22").name, holder: "rooster")) { try buzzer.buzz(.standard) }
        try other.set(true)
        // The buzzer may still sound, so the call must not succeed.
        #expect(throws: LineFailure.self) { try buzzer.buzz(nil) }
        buzzer.end()
    }

    // MARK: shaker

    @Test func shaker_pulses_untilItIsStopped() async throws {
        let shaker = LinuxShaker(output("GPIO22"), on: running.loop)
        var reports = shaker.reports.makeAsyncIterator()
        #expect(await reports.next() == .ready)
        #expect(try !chip.isHigh(0))
        shaker.shake(Shaking(rampSeconds: 0, startUptime: Uptime.milliseconds))
        for isHigh in [true, false, true] { try await waitUntil { try chip.isHigh(0) == isHigh } }
        shaker.shake(nil)
        try await waitUntil { try !chip.isHigh(0) }
        shaker.shake(Shaking(rampSeconds: 0, startUptime: Uptime.milliseconds))
        try await waitUntil { try chip.isHigh(0) }
        shaker.end()
        #expect(await reports.next() == nil)
        #expect(try !chip.isHigh(0))
    }

    @Test func shakerWhoseChipReturns_shakes() async throws {
        let shaker = LinuxShaker(output("GPIO22"), on: running.loop)
        var reports = shaker.reports.makeAsyncIterator()
        #expect(await reports.next() == .ready)
        chip.unplug()
        shaker.shake(Shaking(rampSeconds: 0, startUptime: Uptime.milliseconds))
        guard case .failed = await reports.next() else { throw POSIXError(.EPROTO) }
        try chip.plug()
        while let report = await reports.next(), report != .ready {}
        for isHigh in [true, false] { try await waitUntil { try chip.isHigh(0) == isHigh } }
        shaker.end()
        #expect(await reports.next() == nil)
    }

    // MARK: outputs that a crash left on

    /// A simulated chip stops driving a line that no process holds, as the kernels of the Raspberry Pi do.
    @Test func requestedOutput_isOffAtFirst() throws {
        let (high, low) = (output("GPIO22"), output("GPIO5", active: .low))
        let lines = (try GpioLine(high), try GpioLine(low))
        #expect(try !chip.isHigh(0) && chip.isHigh(1))
        try lines.0.set(true)
        try lines.1.set(true)
        #expect(try chip.isHigh(0) && !chip.isHigh(1))
    }

    @Test func switchedOffLines_areReleased() throws {
        let nothing = output("nothing")
        for _ in 0..<2 {
            #expect(switchOff([output("GPIO22"), nothing, output("GPIO5")]) == [.missing(nothing.name)])
        }
        let held = try GpioLine(output("GPIO22"))
        #expect(switchOff([output("GPIO22")]) == [.busy(held.name, holder: "rooster")])
    }
}
