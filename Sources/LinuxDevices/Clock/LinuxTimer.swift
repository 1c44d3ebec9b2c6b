// Rings on time, and tells when the clock, the zone or their worth has changed.

import Devices
import EventLoop
import Glibc
import System

/// The kernel's timers, on an event loop. It sleeps while nothing happens.
package final class LinuxTimer: WakeTimer {
    /// Why changes of the zone will not be noticed, if they will not.
    package let zoneProblem: SystemCallError?

    private let timers: LinuxTimers
    private let watches: [Watch]
    private let zoneWatch: DirectoryWatch?

    /// The machine's timer. It ends with its owner.
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

    package func set(wallMilliseconds: Int?, uptimeMilliseconds: Int?) {
        timers.set(WakeTimes(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds))
    }

    package var events: AsyncStream<Set<TimerEvent>> { timers.events.stream }
}
