// Timer events: a time is due, or the clock, the zone or the trust has changed.

import CivilTime
import Devices
import EventLoop
import Glibc
import Synchronization
import System

/// A timer on the kernel's timerfds. It wakes the loop only if something is due or may have changed.
package final class LinuxTimer: WakeTimer {
    /// The reason why changes of the zone are not noticed; nil if they are.
    package let zoneProblem: SystemCallError?

    private let timers: LinuxTimers
    private let watches: [Watch]
    private let zoneWatch: DirectoryWatch?

    /// The machine's timer. It ends when it is released.
    package convenience init(on loop: EventLoop, clock: any WallClock) throws(SystemCallError) {
        try self.init(on: loop, clock: clock, etc: "/etc")
    }

    init(on loop: EventLoop, clock: any WallClock, etc: String) throws(SystemCallError) {
        let timers = try LinuxTimers(clock)
        self.timers = timers
        watches = [
            try loop.watch(timers.wall.number, for: .readable) { _ in timers.timerReady(timers.wall) },
            try loop.watch(timers.uptime.number, for: .readable) { _ in timers.timerReady(timers.uptime) },
        ]
        var problem: SystemCallError?
        do throws(SystemCallError) {
            zoneWatch = try DirectoryWatch(etc, names: ["localtime", "timezone"], on: loop) { timers.touchZone() }
        } catch {
            zoneWatch = nil
            problem = error
        }
        zoneProblem = problem
    }

    package func set(_ times: WakeTimes) {
        timers.set(times)
    }

    package var events: AsyncStream<Set<TimerEvent>> { timers.events.stream }
}

/// The state of a `LinuxTimer`. Any thread may call `set`; the loop calls the other methods.
final class LinuxTimers: Sendable {
    let events = TimerEvents()
    let wall: KernelTimer
    let uptime: KernelTimer
    private let clock: any WallClock
    private let plan: Mutex<TimerPlan>

    init(_ clock: any WallClock) throws(SystemCallError) {
        self.clock = clock
        wall = try KernelTimer(CLOCK_REALTIME)
        uptime = try KernelTimer(CLOCK_BOOTTIME)
        plan = Mutex(TimerPlan(trust: clock.trust, at: .now))
        change { _ in }
    }

    func set(_ times: WakeTimes) {
        change { $0.times = times }
    }

    func touchZone() {
        change { $0.touchZone(at: .now) }
    }

    /// Handles a timer that is readable. Called on the loop.
    func timerReady(_ timer: KernelTimer) {
        let answer = timer.read()
        switch answer {
        case .nothing: return
        case .expired: break
        case .clockSet: events.emit(.clockSet)
        }
        // A due time is reported first, so that the ring has the loop's next turn. The trust must be read
        // from files, so it is read in the turn after that.
        var isDue = false
        change { plan in
            isDue = plan.times.removeDue(at: .now)
            if isDue { plan.pollTrust() }
            // The program that has set the clock may mark it as synchronised only a moment later.
            if answer == .clockSet { plan.doubtTrust() }
        }
        guard !isDue else { return events.emit(.due) }
        let trust = clock.trust
        var due: [TimerEvent] = []
        change { due = $0.tick(at: .now, trust: trust) }
        for event in due { events.emit(event) }
    }

    private func change(_ change: (inout TimerPlan) -> Void) {
        let clockWasSet = plan.withLock { plan in
            change(&plan)
            let clockWasSet = wall.set(milliseconds: plan.times.wallMilliseconds)
            // The clock may have been set by a time service, which makes it trusted.
            if clockWasSet { plan.doubtTrust() }
            _ = uptime.set(milliseconds: plan.uptimeMilliseconds)
            return clockWasSet
        }
        if clockWasSet { events.emit(.clockSet) }
    }
}
