// The tests of buttons on lines that the kernel simulates.

import Alarms
import Devices
import EventLoop
import Foundation
import Oracles
import SimulatedChip
import System
import Testing

@testable import LinuxDevices

@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: SimulatedChip.isThere, "there is no gpio-sim"))
struct GpioButtonsTests {
    private let chip: SimulatedChip
    private let running: RunningLoop
    private static let names = ["GPIO17", "GPIO27"]

    init() throws {
        chip = try SimulatedChip(GpioButtonsTests.names)
        running = try RunningLoop()
    }

    private func name(_ line: String) -> LineName { LineName(line, chip: chip.label) }

    private func start(pull: Pull = .up) -> (LoopDriver<ButtonReport>, AsyncStream<ButtonReport>.Iterator) {
        let buttons = LoopDriver(
            buttons: [.snooze: LineInput(name("GPIO17"), pull: pull), .stop: LineInput(name("GPIO27"), pull: pull)],
            on: running.loop)
        return (buttons, buttons.reports.makeAsyncIterator())
    }

    private func press(_ role: Button, _ isDown: Bool = true) throws {
        try chip.pull(role == .snooze ? 0 : 1, up: !isDown)
    }

    /// Sleeps until a contact may no longer bounce. Edges carry the kernel's time, and no event marks that
    /// moment.
    private func wait(milliseconds: Int = Debounce.deafMilliseconds + 10) {
        usleep(UInt32(milliseconds * 1000))
    }

    // MARK: presses

    @Test func presses_areReported_withTheTimeOfTheEdge() async throws {
        let (buttons, heard) = start()
        var reports = heard
        #expect(await reports.next() == .found(.snooze, isDown: false))
        #expect(await reports.next() == .found(.stop, isDown: false))
        var lateness: [Int] = []
        for round in 0..<Thoroughness.pick(10, full: 100) {
            for isDown in [true, false] {
                let role: Button = round % 2 == 0 ? .snooze : .stop
                let before = Uptime.milliseconds
                try press(role, isDown)
                guard case .moved(role, isDown, let uptime) = try #require(await reports.next()) else {
                    throw POSIXError(.EPROTO)
                }
                // A simulated chip reports an edge at the kernel's next tick.
                #expect(before...Uptime.milliseconds ~= uptime)
                lateness.append(Uptime.milliseconds - uptime)
                wait()
            }
        }
        lateness.sort()
        print("edge → report, ms: p50 \(lateness[lateness.count / 2]), max \(lateness[lateness.count - 1])")
        buttons.end()
        #expect(await reports.next() == nil)
    }

    /// Both presses are reported in order, even if the loop is busy meanwhile.
    @Test func chords_areReportedInTheirOrder() async throws {
        let (buttons, heard) = start()
        var reports = heard
        for _ in 0..<2 { _ = await reports.next() }
        for order in [[Button.stop, .snooze], [.snooze, .stop]] {
            for isDown in [true, false] {
                let loopGate = await LoopGate(running.loop)
                for role in order {
                    try press(role, isDown)
                    // The chip reports an edge at the kernel's next tick.
                    wait(milliseconds: 25)
                }
                loopGate.open()
                for role in order {
                    let report = try #require(await reports.next())
                    guard case .moved(role, isDown, _) = report else {
                        Issue.record("\(report)")
                        return
                    }
                }
                wait()
            }
        }
        buttons.end()
    }

    @Test func bouncingContact_isOnePress_andChatterEndsInTheFinalState() async throws {
        let (buttons, heard) = start()
        var reports = heard
        for _ in 0..<2 { _ = await reports.next() }
        // More edges than the kernel buffers.
        for bounce in 0..<41 { try press(.snooze, bounce % 2 == 0) }
        guard case .moved(.snooze, isDown: true, let pressed) = await reports.next() else { throw POSIXError(.EPROTO) }
        wait(milliseconds: 120)
        for bounce in 0..<41 { try press(.snooze, bounce % 2 != 0) }
        guard case .moved(.snooze, isDown: false, let released) = await reports.next() else {
            throw POSIXError(.EPROTO)
        }
        #expect(released - pressed >= 100)
        // A contact that bounces for too long is reported at intervals, and at last in its final state.
        let end = Uptime.milliseconds + 400
        while Uptime.milliseconds < end {
            for isDown in [true, false] { try press(.stop, isDown) }
        }
        try press(.stop, true)
        try press(.snooze, true)
        var (isDown, last) = (false, 0)
        while let report = await reports.next() {
            guard case .moved(let role, let next, let uptime) = report else { throw POSIXError(.EPROTO) }
            guard role == .stop else { break }
            #expect(next != isDown && uptime - last >= Debounce.deafMilliseconds)
            (isDown, last) = (next, uptime)
        }
        wait(milliseconds: 120)
        if !isDown {
            guard case .moved(.stop, isDown: true, _) = await reports.next() else { throw POSIXError(.EPROTO) }
        }
        buttons.end()
        #expect(await reports.next() == nil)
    }

    @Test func buttonHeldAtTheStart_isReportedAsDown() async throws {
        try press(.snooze)
        try press(.stop, false)
        let (buttons, heard) = start(pull: .none)
        var reports = heard
        #expect(await reports.next() == .found(.snooze, isDown: true))
        #expect(await reports.next() == .found(.stop, isDown: false))
        try press(.snooze, false)
        guard case .moved(.snooze, isDown: false, _) = await reports.next() else { throw POSIXError(.EPROTO) }
        buttons.end()
    }

    // MARK: lines that come and go

    @Test func unpluggedChip_isReported_andReturns() async throws {
        let (buttons, heard) = start()
        var reports = heard
        for _ in 0..<2 { _ = await reports.next() }
        try press(.snooze)
        _ = await reports.next()
        chip.unplug()
        var lost: Set<Button> = []
        while lost.count < 2, case .failed(let role, let failure) = await reports.next() {
            lost.insert(role)
            #expect("\(failure)".contains(role == .snooze ? "GPIO17" : "GPIO27"))
        }
        try chip.plug()
        var found: [Button: Bool] = [:]
        while found.count < 2, let report = await reports.next() {
            if case .found(let role, let isDown) = report { found[role] = isDown }
        }
        #expect(found == [.snooze: false, .stop: false])
        try press(.stop)
        guard case .moved(.stop, isDown: true, _) = await reports.next() else { throw POSIXError(.EPROTO) }
        buttons.end()
    }

    @Test func busyLine_isUsedOnceItIsReleased() async throws {
        var other: GpioLine? = try GpioLine(LineInput(name("GPIO17")))
        let (buttons, heard) = start()
        var reports = heard
        #expect(await reports.next() == .failed(.snooze, .busy(name("GPIO17"), holder: "rooster")))
        #expect(await reports.next() == .found(.stop, isDown: false))
        #expect(try other?.read() == false)
        other = nil
        #expect(await reports.next() == .found(.snooze, isDown: false))
        buttons.end()
        #expect(await reports.next() == nil)
        // The driver has released the lines.
        for line in GpioButtonsTests.names { _ = try GpioLine(LineInput(name(line))) }
    }

    @Test func lines_areFoundByTheirNames() throws {
        let other = try SimulatedChip(["GPIO27", "", "held"], holder: "a-driver")
        func failure(_ name: LineName) -> LineFailure? {
            do throws(LineFailure) { _ = try GpioLine(LineInput(name)) } catch { return error }
            return nil
        }
        #expect(failure(name("GPIO27")) == nil)
        #expect(failure(LineName("1", chip: other.label)) == nil)
        #expect(failure(LineName("3", chip: other.label)) == .missing(LineName("3", chip: other.label)))
        let both = LineName("GPIO27")
        if case .ambiguous(both, let chips) = failure(both) {
            #expect(Set(chips).isSuperset(of: [chip.label, other.label]))
        } else {
            Issue.record("\(String(describing: failure(both)))")
        }
        #expect(failure(LineName("nothing")) == .missing(LineName("nothing")))
        if case .missingChip(_, let known) = failure(LineName("GPIO27", chip: "none")) {
            #expect(known.contains(chip.label))
        } else {
            Issue.record("a chip that is not there has a line")
        }
        let held = LineName("held", chip: other.label)
        #expect(failure(held) == .busy(held, holder: "a-driver"))
    }

    // MARK: rest

    @Test func idleButtons_doNotWakeTheLoop() async throws {
        let quiet = try EventLoop()
        try quiet.start(named: "quiet")
        let buttons = LoopDriver(buttons: [.snooze: LineInput(name("GPIO17"))], on: quiet)
        var reports = buttons.reports.makeAsyncIterator()
        _ = await reports.next()
        try press(.snooze)
        _ = await reports.next()
        wait(milliseconds: 200)
        let before = try KernelThread.named("quiet").waitCount
        wait(milliseconds: Thoroughness.pick(1000, full: 60_000))
        #expect(try KernelThread.named("quiet").waitCount == before)
        buttons.end()
        while await reports.next() != nil {}
        quiet.end()
        quiet.waitUntilEnded()
    }

    // MARK: steps

    @Test func steps_areReported_whileRequested() async throws {
        let sensor = LoopDriver(line: LineInput(name("GPIO17")), on: running.loop)
        var reports = sensor.reports.makeAsyncIterator()
        sensor.order(isOn: true)
        #expect(await reports.next() == .ready(isActive: false))
        for _ in 0..<3 {
            for isDown in [true, false] {
                try press(.snooze, isDown)
                wait()
            }
            guard case .step = await reports.next() else { throw POSIXError(.EPROTO) }
        }
        sensor.order(isOn: false)
        sensor.order(isOn: true)
        #expect(await reports.next() == .ready(isActive: false))
        sensor.end()
        #expect(await reports.next() == nil)
        _ = try GpioLine(LineInput(name("GPIO17")))
    }
}
