// The tests of step counters in a folder in place of sysfs.

import Devices
import Foundation
import Oracles
import System
import Testing

@testable import LinuxDevices

/// A folder in place of `/sys/bus/iio/devices`.
private struct IndustrialIO {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func counters(_ wanted: String? = nil) -> StepCounters { StepCounters(wanted: wanted, folder: scratch.path) }

    func plug(_ number: Int, _ name: String, count: String? = "1000", enabled: String? = "0") throws {
        // The rename makes the device appear whole to a driver that polls.
        let folder = "\(scratch.path)/plugged"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for case (let file, let text?) in [("name", name), ("in_steps_input", count), ("in_steps_en", enabled)] {
            _ = try scratch.file("plugged/\(file)", holding: "\(text)\n")
        }
        try FileManager.default.moveItem(atPath: folder, toPath: "\(scratch.path)/iio:device\(number)")
    }

    func unplug(_ number: Int) throws {
        try FileManager.default.removeItem(atPath: "\(scratch.path)/iio:device\(number)")
    }

    func write(_ text: String, to file: String, of number: Int) throws {
        // Writes atomically, because half of a number is another number.
        try Data("\(text)\n".utf8).write(to: URL(fileURLWithPath: path(file, number)), options: .atomic)
    }

    func path(_ file: String, _ number: Int) -> String { "\(scratch.path)/iio:device\(number)/\(file)" }

    func isOn(_ number: Int) -> Bool { SystemFile(path: path("in_steps_en", number)).text == "1" }
}

@Suite(.timeLimit(.minutes(5))) struct LinuxStepCounterTests {
    private let kernel: IndustrialIO
    private let running: RunningLoop

    init() throws {
        kernel = try IndustrialIO()
        running = try RunningLoop()
    }

    // MARK: which one

    @Test func counter_isFoundByItsName_andSwitchedOn() throws {
        try kernel.plug(0, "tsl2561", count: nil, enabled: nil)
        try kernel.plug(1, "bma400", count: "7")
        try kernel.plug(2, "bmi323-imu", count: "1000")
        #expect(try kernel.counters("bmi323-imu").read() == 1000)
        #expect(!kernel.isOn(1) && kernel.isOn(2))
        #expect(try kernel.counters().read() == 7)
        #expect(kernel.isOn(1))
        try kernel.counters().switchOff()
        #expect(!kernel.isOn(1) && kernel.isOn(2))
    }

    /// Some sensors count all the time and have no switch.
    @Test func counterWithoutASwitch_isRead() throws {
        try kernel.plug(0, "always", enabled: nil)
        #expect(try kernel.counters().read() == 1000)
        try kernel.counters().switchOff()
        #expect(!SystemFile(path: kernel.path("in_steps_en", 0)).exists)
    }

    // MARK: failures

    @Test func missingCounter_isReported() throws {
        #expect(throws: StepFailure.noCounter) { try StepCounters(wanted: nil, folder: "/nowhere").read() }
        try kernel.plug(0, "tsl2561", count: nil)
        for wanted in [nil, "bmi323-imu", "tsl2561"] {
            #expect(throws: StepFailure.noCounter) { try kernel.counters(wanted).read() }
        }
        try kernel.plug(1, "bma400")
        let failure = StepFailure.missing(wanted: "bmi323-imu", known: ["bma400"])
        #expect(throws: failure) { try kernel.counters("bmi323-imu").read() }
        #expect("\(failure)" == "the step counter \"bmi323-imu\" is not plugged in (there is only bma400)")
    }

    @Test(arguments: ["", "many", "1000.5", "99999999999"]) func counterWithoutNumber_isReported(count: String) throws {
        try kernel.plug(0, "bma400", count: count)
        #expect(throws: StepFailure.system(name: "bma400", doing: "read it", errorNumber: EBADMSG)) {
            try kernel.counters().read()
        }
    }

    @Test func unreadableCounter_isReported() throws {
        try kernel.plug(0, "bma400", count: nil)
        try FileManager.default.createDirectory(
            atPath: kernel.path("in_steps_input", 0), withIntermediateDirectories: true)
        #expect(throws: StepFailure.system(name: "bma400", doing: "read it", errorNumber: EISDIR)) {
            try kernel.counters().read()
        }
    }

    /// A file of sysfs that even root cannot write.
    private static let unwritable = "/sys/kernel/uevent_seqnum"
    private static var isAnyUnwritable: Bool {
        let descriptor = open(unwritable, O_WRONLY)
        if descriptor >= 0 { close(descriptor) }
        return descriptor < 0 && errno == EACCES
    }

    @Test(.enabled(if: isAnyUnwritable, "there is no sysfs that can be written"))
    func counterThatMayNotBeSwitched_isReported_withARemedy() throws {
        try kernel.plug(0, "bma400", enabled: nil)
        try FileManager.default.createSymbolicLink(
            atPath: kernel.path("in_steps_en", 0), withDestinationPath: LinuxStepCounterTests.unwritable)
        let failure = StepFailure.noAccess(name: "bma400")
        #expect(throws: failure) { try kernel.counters().read() }
        #expect("\(failure)".contains("plug the counter in again"))
    }

    // MARK: counting

    private func sensor(_ wanted: String? = nil) -> (LoopDriver<StepReport>, AsyncStream<StepReport>.Iterator) {
        let sensor = LoopDriver(kernel.counters(wanted), on: running.loop)
        return (sensor, sensor.reports.makeAsyncIterator())
    }

    @Test func steps_areReported_whileRequested_andTheCounterIsOffAfterwards() async throws {
        try kernel.plug(0, "bma400")
        let (sensor, heard) = sensor()
        var reports = heard
        sensor.order(isOn: true)
        #expect(await reports.next() == .ready(isActive: false))
        #expect(kernel.isOn(0))
        var last = Int.min / 2
        for count in [1001, 1003, 1004] {
            try kernel.write("\(count)", to: "in_steps_input", of: 0)
            for _ in 0..<(count == 1003 ? 2 : 1) {
                guard case .step(let uptime) = await reports.next() else { throw POSIXError(.EPROTO) }
                #expect(uptime - last >= 250 && uptime <= Uptime.milliseconds)
                last = uptime
            }
        }
        // A reading from before the order no longer counts, so that each step is reported once.
        sensor.order(isOn: false)
        sensor.order(isOn: true)
        #expect(await reports.next() == .ready(isActive: false))
        for count in [1005, 1006] {
            try kernel.write("\(count)", to: "in_steps_input", of: 0)
            guard case .step = await reports.next() else { throw POSIXError(.EPROTO) }
        }
        sensor.end()
        #expect(await reports.next() == nil)
        #expect(!kernel.isOn(0))
    }

    @Test func counterThatIsOff_isLeftAlone() async throws {
        try kernel.plug(0, "bma400")
        let (sensor, heard) = sensor()
        var reports = heard
        sensor.order(isOn: false)
        sensor.end()
        #expect(await reports.next() == nil)
        #expect(!kernel.isOn(0))
    }

    /// The counter returns under another number. Steps that it counted meanwhile are ignored.
    @Test func unpluggedCounter_isReported_andReturns() async throws {
        try kernel.plug(0, "bma400")
        let (sensor, heard) = sensor("bma400")
        var reports = heard
        sensor.order(isOn: true)
        #expect(await reports.next() == .ready(isActive: false))
        try kernel.unplug(0)
        #expect(await reports.next() == .failed(.noCounter))
        try kernel.plug(3, "bma400", count: "5000")
        #expect(await reports.next() == .ready(isActive: false))
        try await waitUntil { kernel.isOn(3) }
        try kernel.write("5001", to: "in_steps_input", of: 3)
        guard case .step = await reports.next() else { throw POSIXError(.EPROTO) }
        sensor.end()
        #expect(await reports.next() == nil)
    }

    /// After a power loss the sensor is off and counts from zero.
    @Test func counterThatWasReset_isSwitchedOnAgain() async throws {
        try kernel.plug(0, "bma400")
        let (sensor, heard) = sensor()
        var reports = heard
        sensor.order(isOn: true)
        _ = await reports.next()
        try kernel.write("0", to: "in_steps_input", of: 0)
        try kernel.write("0", to: "in_steps_en", of: 0)
        try await waitUntil { kernel.isOn(0) }
        try kernel.write("2", to: "in_steps_input", of: 0)
        for _ in 0..<2 { guard case .step = await reports.next() else { throw POSIXError(.EPROTO) } }
        sensor.end()
        #expect(await reports.next() == nil)
    }
}
