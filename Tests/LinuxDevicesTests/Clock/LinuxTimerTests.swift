// The tests of the kernel's timers. Only those behind `ROOSTER_STEPS_CLOCK` set the machine's clock.

import CLinux
import CivilTime
import Devices
import EventLoop
import Foundation
import Mocks
import Oracles
import Synchronization
import System
import Testing

@testable import LinuxDevices

@Suite(.timeLimit(.minutes(10))) struct LinuxTimerTests {
    /// A timer, and a folder in place of `/etc`.
    final class Bedside {
        let running: RunningLoop
        let etc: Scratch
        let clock: ManualClock
        let timer: LinuxTimer
        var heard: AsyncStream<Set<TimerEvent>>.Iterator
        private var unread: Set<TimerEvent> = []

        init(_ trust: ClockTrust = .synchronised, etc folder: String? = nil) throws {
            running = try RunningLoop()
            etc = try Scratch()
            try FileManager.default.createSymbolicLink(
                atPath: "\(etc.path)/localtime", withDestinationPath: "/usr/share/zoneinfo/Etc/UTC")
            clock = ManualClock(Moment(wallMilliseconds: 0, uptimeMilliseconds: 0), trust: trust)
            timer = try LinuxTimer(on: running.loop, clock: clock, etc: folder ?? etc.path)
            heard = timer.events.makeAsyncIterator()
        }

        /// Returns the next event other than a step of the machine's own clock.
        func next() async -> TimerEvent? {
            while unread.isEmpty, let events = await heard.next(isolation: nil) {
                unread = events.subtracting([.clockSet])
            }
            return unread.popFirst()
        }
    }

    @Test func wallTime_isDue_notEarlier() async throws {
        let bedside = try Bedside()
        for milliseconds in [1, 15, 60] {
            let due = Moment.now.wallMilliseconds + milliseconds
            bedside.timer.set(WakeTimes(wallMilliseconds: due))
            #expect(await bedside.next() == .due)
            #expect(Moment.now.wallMilliseconds >= due)
        }
    }

    @Test func uptime_isDue_notEarlier() async throws {
        let bedside = try Bedside()
        for milliseconds in [1, 15, 60] {
            let due = Moment.now.uptimeMilliseconds + milliseconds
            bedside.timer.set(WakeTimes(uptimeMilliseconds: due))
            #expect(await bedside.next() == .due)
            #expect(Moment.now.uptimeMilliseconds >= due)
        }
    }

    @Test func pastTime_isDueAtOnce() async throws {
        let bedside = try Bedside()
        bedside.timer.set(WakeTimes(wallMilliseconds: 0))
        #expect(await bedside.next() == .due)
        bedside.timer.set(WakeTimes(wallMilliseconds: -1))
        #expect(await bedside.next() == .due)
        bedside.timer.set(WakeTimes(uptimeMilliseconds: 0))
        #expect(await bedside.next() == .due)
    }

    @Test func bothTimes_areDueOneAfterTheOther() async throws {
        let bedside = try Bedside()
        let uptime = Moment.now.uptimeMilliseconds + 80
        bedside.timer.set(WakeTimes(wallMilliseconds: 0, uptimeMilliseconds: uptime))
        #expect(await bedside.next() == .due)
        #expect(await bedside.next() == .due)
        #expect(Moment.now.uptimeMilliseconds >= uptime)
    }

    /// Both times have passed, but no loop has read them yet.
    @Test func cancelledTime_isNotDue() throws {
        let clock = ManualClock(Moment(wallMilliseconds: 0, uptimeMilliseconds: 0))
        let timers = try LinuxTimers(clock)
        timers.set(WakeTimes(wallMilliseconds: 0, uptimeMilliseconds: 0))
        timers.set(WakeTimes())
        for timer in [timers.wall, timers.uptime] { #expect(timer.read() == .nothing) }
    }

    @Test func changedZone_isReported() async throws {
        let bedside = try Bedside()
        let path = "\(bedside.etc.path)/localtime"
        func link(_ path: String, to zone: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/usr/share/zoneinfo/\(zone)")
        }
        // `timedatectl set-timezone` renames a new link into place.
        for zone in ["Europe/Berlin", "America/New_York"] {
            try link("\(bedside.etc.path)/.#localtime5a1", to: zone)
            #expect(rename("\(bedside.etc.path)/.#localtime5a1", path) == 0)
            #expect(await bedside.next() == .zoneChanged)
        }
        // `ln -sf` removes the link first. A listener receives an event for each step, or only for the
        // last.
        try FileManager.default.removeItem(atPath: path)
        try link(path, to: "Europe/Berlin")
        #expect(await bedside.next() == .zoneChanged)
    }

    @Test func writtenTimezoneFile_isReportedAsAChangeOfZone() async throws {
        let bedside = try Bedside()
        for zone in ["Europe/Berlin", "Asia/Tokyo"] {
            _ = try bedside.etc.file("timezone", holding: "\(zone)\n")
            #expect(await bedside.next() == .zoneChanged)
        }
    }

    @Test func folderThatCannotBeWatched_isReported_andTimersContinue() async throws {
        let bedside = try Bedside(etc: "/nowhere")
        #expect(bedside.timer.zoneProblem == SystemCallError(.watchDirectory, errorNumber: ENOENT))
        bedside.timer.set(WakeTimes(wallMilliseconds: 0))
        #expect(await bedside.next() == .due)
    }

    @Test func clockSetByTheNetwork_isReported() async throws {
        let bedside = try Bedside(.nobody)
        bedside.clock.trust = .synchronised
        #expect(await bedside.next() == .trustChanged)
    }

    /// A clock that counts how often its trust is read, which may be slow.
    final class AskedClock: WallClock {
        let askedCount = Atomic(0)
        var reading: Moment { .now }
        var zoneName: String { "UTC" }
        var trust: ClockTrust {
            askedCount.add(1, ordering: .relaxed)
            return .nobody
        }
    }

    /// A due time is reported first, and the trust is read in a later turn of the loop. A slow read must not
    /// delay a ring.
    @Test func dueTime_isReported_beforeTheClockIsRead() throws {
        let clock = AskedClock()
        let timers = try LinuxTimers(clock)
        #expect(clock.askedCount.load(ordering: .relaxed) == 1)
        timers.set(WakeTimes(wallMilliseconds: 0))
        try hear(timers, timers.wall)
        #expect(clock.askedCount.load(ordering: .relaxed) == 1)
        try hear(timers, timers.uptime)
        #expect(clock.askedCount.load(ordering: .relaxed) == 2)
    }

    private func hear(_ timers: LinuxTimers, _ timer: KernelTimer) throws {
        var ready = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 10_000) == 1)
        timers.timerReady(timer)
    }

    func stepClock(byMicroseconds microseconds: Int) {
        var step = timex()
        step.modes = UInt32(ADJ_SETOFFSET)
        // For a negative offset, tv_usec still counts forward.
        step.time = timeval(
            tv_sec: microseconds < 0 ? -1 : 0, tv_usec: microseconds < 0 ? microseconds + 1_000_000 : microseconds)
        #expect(adjtimex(&step) >= 0)
    }

    /// Sets the machine's clock by a microsecond and back, which needs the privilege to do so.
    @Test(.enabled(if: getenv("ROOSTER_STEPS_CLOCK") != nil))
    func clockStep_withoutAWakeTime_isReportedAtOnce() async throws {
        let bedside = try Bedside()
        for microseconds in [1, -1] {
            stepClock(byMicroseconds: microseconds)
            #expect(await bedside.heard.next(isolation: nil) == [.clockSet])
        }
    }

    /// The clock is set between two orders, before any loop sees the step. The next order must report it,
    /// because a time source may have set the clock.
    @Test(.enabled(if: getenv("ROOSTER_STEPS_CLOCK") != nil))
    func clockStep_beforeANewOrder_isReported() async throws {
        let clock = ManualClock(Moment(wallMilliseconds: 0, uptimeMilliseconds: 0), trust: .hardwareClock)
        let timers = try LinuxTimers(clock)
        var heard = timers.events.stream.makeAsyncIterator()
        stepClock(byMicroseconds: 1)
        clock.trust = .synchronised
        timers.set(WakeTimes(wallMilliseconds: .max))
        #expect(await heard.next() == [.clockSet])
        timers.timerReady(timers.uptime)
        #expect(await heard.next() == [.trustChanged])
        stepClock(byMicroseconds: -1)
    }
}

@Suite struct DirectoryWatchTests {
    /// Returns an event in the kernel's binary format.
    func event(_ mask: Int32, _ name: String) -> [UInt8] {
        let padded = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count % 16)
        var head = inotify_event()
        (head.wd, head.mask, head.len) = (1, UInt32(mask), name.isEmpty ? 0 : UInt32(padded.count))
        return withUnsafeBytes(of: head, Array.init) + (name.isEmpty ? [] : padded)
    }

    func touches(_ events: [UInt8]...) -> Bool {
        Array(events.joined()).withUnsafeBytes { DirectoryWatch.touches(["localtime", "timezone"], in: $0) }
    }

    @Test func watchedNames_areFoundAmongOthers() {
        #expect(touches(event(IN_CREATE, "passwd"), event(IN_MOVED_TO, "localtime")))
        #expect(touches(event(IN_CLOSE_WRITE, "timezone"), event(IN_CREATE, "x")))
        #expect(!touches(event(IN_CREATE, "passwd"), event(IN_MOVED_TO, "localtime5a1"), event(IN_CREATE, "local")))
        #expect(!touches())
    }

    @Test func queueOverflow_countsAsAChange() {
        #expect(touches(event(IN_Q_OVERFLOW, "")))
    }

    @Test func truncatedEvent_isNotReadBeyondItsEnd() {
        let whole = event(IN_MOVED_TO, "localtime")
        for count in 0..<whole.count {
            whole.withUnsafeBytes { bytes in
                _ = DirectoryWatch.touches(["localtime"], in: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        }
    }
}
