// Timer events: a time is due, or the clock, the zone or the trust has changed.

import CivilTime
import Devices
import EventLoop
import Glibc
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
