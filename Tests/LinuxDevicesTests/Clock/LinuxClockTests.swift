// The tests of the trust in the machine's clock, and of the alarms of its hardware clocks.

import CLinux
import CivilTime
import Devices
import Foundation
import Oracles
import Synchronization
import Testing

@testable import LinuxDevices

/// A folder in place of the file system's root, with hardware clocks.
struct Machine {
    let root: Scratch

    init() throws {
        root = try Scratch()
    }

    func write(_ text: String, to path: String) throws {
        let url = URL(fileURLWithPath: "\(root.path)/\(path)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func addHardwareClock(_ name: String, hasSetTheSystem: Bool, seconds: Int?) throws {
        try write(hasSetTheSystem ? "1\n" : "0\n", to: "sys/class/rtc/\(name)/hctosys")
        if let seconds { try write("\(seconds)\n", to: "sys/class/rtc/\(name)/since_epoch") }
    }
}

@Suite struct LinuxClockTests {
    static let never = KernelSync(answer: TIME_ERROR, status: STA_UNSYNC)
    static let always = KernelSync(answer: TIME_OK, status: STA_PLL)

    func clock(_ machine: Machine, _ sync: KernelSync = never) -> LinuxClock {
        LinuxClock(root: machine.root.path, zoneName: { "Europe/Berlin" }, sync: { sync })
    }

    @Test func kernel_reportsWhetherTheClockIsSynchronised() {
        #expect(LinuxClockTests.always.isSynchronised)
        // A leap second is scheduled or in progress.
        for answer in [TIME_INS, TIME_DEL, TIME_OOP, TIME_WAIT] {
            #expect(KernelSync(answer: answer, status: STA_PLL).isSynchronised)
        }
        #expect(!LinuxClockTests.never.isSynchronised)
        #expect(!KernelSync(answer: TIME_OK, status: STA_PLL | STA_UNSYNC).isSynchronised)
        #expect(!KernelSync(answer: TIME_ERROR, status: STA_PLL).isSynchronised)
        // A sandbox forbids the system call.
        #expect(!KernelSync(answer: -1, status: 0).isSynchronised)
    }

    @Test func kernel_canBeQueried() {
        #expect(KernelSync.now.answer >= 0)
    }

    @Test func machineWithoutATimeSource_isNotTrusted() throws {
        #expect(clock(try Machine()).trust == .nobody)
    }

    @Test func synchronisedClock_staysTrusted() throws {
        let machine = try Machine()
        let sync = Mutex(LinuxClockTests.never)
        let clock = LinuxClock(root: machine.root.path, zoneName: { "UTC" }, sync: { sync.withLock(\.self) })
        #expect(clock.trust == .nobody)
        sync.withLock { $0 = LinuxClockTests.always }
        #expect(clock.trust == .synchronised)
        // Nine hours without a network must not end the trust.
        sync.withLock { $0 = LinuxClockTests.never }
        #expect(clock.trust == .synchronised)
    }

    @Test func clockSynchronisedBeforeTheStart_isTrusted() throws {
        let machine = try Machine()
        try machine.write("", to: "run/systemd/timesync/synchronized")
        #expect(clock(machine).trust == .synchronised)
    }

    @Test func hardwareClock_isTrustedIfItHasSetTheSystem() throws {
        let machine = try Machine()
        try machine.addHardwareClock("rtc0", hasSetTheSystem: false, seconds: 1_800_000_000)
        #expect(clock(machine).trust == .nobody)
        try machine.addHardwareClock("rtc1", hasSetTheSystem: true, seconds: 1_800_000_000)
        #expect(clock(machine).trust == .hardwareClock)
        #expect(clock(machine, LinuxClockTests.always).trust == .synchronised)
    }

    static let implausible: [Int?] = [nil, -5, 0, 946_684_800, 1_767_225_599]

    /// The battery of the hardware clock is empty.
    @Test(arguments: implausible) func implausibleHardwareClock_isNotTrusted(seconds: Int?) throws {
        let machine = try Machine()
        try machine.addHardwareClock("rtc0", hasSetTheSystem: true, seconds: seconds)
        #expect(clock(machine).trust == .nobody)
    }

    @Test func unreadableHardwareClock_isNotTrusted() throws {
        let machine = try Machine()
        try machine.addHardwareClock("rtc0", hasSetTheSystem: true, seconds: nil)
        try machine.write("soon\n", to: "sys/class/rtc/rtc0/since_epoch")
        #expect(clock(machine).trust == .nobody)
    }

    @Test func reading_matchesTheKernelsClocks() throws {
        let clock = clock(try Machine())
        var (wall, uptime) = (timespec(), timespec())
        clock_gettime(CLOCK_BOOTTIME, &uptime)
        let first = clock.reading
        #expect(first.uptimeMilliseconds >= uptime.tv_sec * 1000 + uptime.tv_nsec / 1_000_000)
        let second = clock.reading
        clock_gettime(CLOCK_BOOTTIME, &uptime)
        #expect(second.uptimeMilliseconds >= first.uptimeMilliseconds)
        #expect(second.uptimeMilliseconds <= uptime.tv_sec * 1000 + uptime.tv_nsec / 1_000_000)
        // The wall clock is not set by a day while this test runs.
        clock_gettime(CLOCK_REALTIME, &wall)
        #expect(abs(second.wallMilliseconds - wall.tv_sec * 1000) < 86_400_000)
        #expect(clock.zoneName == "Europe/Berlin")
    }
}

@Suite struct LinuxWakerTests {
    /// The alarm file of a hardware clock: a FIFO, so that the test sees each write.
    final class Alarm {
        let descriptor: Int32

        init(_ machine: Machine, _ name: String) throws {
            try machine.addHardwareClock(name, hasSetTheSystem: true, seconds: 1_800_000_000)
            let path = "\(machine.root.path)/sys/class/rtc/\(name)/wakealarm"
            #expect(mkfifo(path, 0o600) == 0)
            descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            #expect(descriptor >= 0)
        }

        deinit {
            close(descriptor)
        }

        var written: String {
            var bytes = [UInt8](repeating: 0, count: 200)
            let count = read(descriptor, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
        }
    }

    struct Now: WallClock {
        var reading: Moment { Moment(wallMilliseconds: 1_800_000_000_500, uptimeMilliseconds: 0) }
        var trust: ClockTrust { .nobody }
        var zoneName: String { "UTC" }
    }

    @Test func alarm_isClearedBeforeItIsSet() throws {
        let machine = try Machine()
        let alarm = try Alarm(machine, "rtc0")
        let waker = LinuxWaker(root: machine.root.path, clock: Now())
        try waker.set(wallMilliseconds: 1_800_003_600_499)
        // A wake time is rounded down, because an early wake is harmless.
        #expect(alarm.written == "0\n+3599\n")
        try waker.set(wallMilliseconds: nil)
        #expect(alarm.written == "0\n")
        try waker.set(wallMilliseconds: 1_800_000_000_000)
        #expect(alarm.written == "0\n")
        try waker.set(wallMilliseconds: 1_800_000_001_499)
        #expect(alarm.written == "0\n")
    }

    @Test func firstClockThatCanWake_isUsed() throws {
        let machine = try Machine()
        try machine.addHardwareClock("rtc0", hasSetTheSystem: true, seconds: 1_800_000_000)
        let (tenth, second) = (try Alarm(machine, "rtc10"), try Alarm(machine, "rtc2"))
        try LinuxWaker(root: machine.root.path, clock: Now()).set(wallMilliseconds: 1_800_000_060_500)
        #expect(second.written == "0\n+60\n")
        #expect(tenth.written == "")
    }

    @Test func machineWithoutAWakingClock_isReported() throws {
        let waker = LinuxWaker(root: try Machine().root.path, clock: Now())
        #expect(throws: WakerError.none) { try waker.set(wallMilliseconds: 1_800_000_060_500) }
        try waker.set(wallMilliseconds: nil)
    }

    @Test func refusal_hasTheSystemsReason() throws {
        let machine = try Machine()
        try machine.addHardwareClock("rtc0", hasSetTheSystem: true, seconds: 1_800_000_000)
        let path = "\(machine.root.path)/sys/class/rtc/rtc0/wakealarm"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let waker = LinuxWaker(root: machine.root.path, clock: Now())
        let error = WakerError.system(path: path, errorNumber: EISDIR)
        #expect(throws: error) { try waker.set(wallMilliseconds: nil) }
        #expect("\(error)" == "the clock that wakes this machine cannot be set (\(path): Is a directory)")
    }
}
