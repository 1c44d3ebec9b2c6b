// The two timers of the kernel's, and the plan that they follow.

import Devices
import EventLoop
import Glibc
import Synchronization
import System

/// What is called on the loop, and from wherever somebody asks for a time.
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

    /// On the loop: one of the timers has something to tell.
    func timerReady(_ timer: KernelTimer) {
        let answer = timer.read()
        switch answer {
        case .nothing: return
        case .expired: break
        case .clockSet: events.emit(.clockSet)
        }
        // What is due comes before everything that has to be read somewhere: whoever is told of it has the loop's next turn,
        // and the rest is looked at in the one behind that.
        var isDue = false
        change { plan in
            isDue = plan.times.removeDue(at: .now)
            if isDue { plan.pollTrust() }
            // Whoever has set it may say only in a moment that it is right.
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
            // Whoever has set the clock may be one who knows the time.
            if wasSet { plan.doubtTrust() }
            _ = uptime.set(milliseconds: plan.uptimeMilliseconds)
            return wasSet
        }
        if wasSet { events.emit(.clockSet) }
    }
}
