// The two kernel timers, one for each clock, and the plan that they follow.

import CivilTime
import Devices
import EventLoop
import Glibc
import Synchronization
import System

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
        // A due time is reported first, so that the ring has the loop's next turn. The trust has to be read
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
        let wasSet = plan.withLock { plan in
            change(&plan)
            let wasSet = wall.set(milliseconds: plan.times.wallMilliseconds)
            // The clock may have been set by a time service, which makes it trusted.
            if wasSet { plan.doubtTrust() }
            _ = uptime.set(milliseconds: plan.uptimeMilliseconds)
            return wasSet
        }
        if wasSet { events.emit(.clockSet) }
    }
}
