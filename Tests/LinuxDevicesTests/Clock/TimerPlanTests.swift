// The tests of the times at which a timer checks the clock, and of the events of each check.

import CivilTime
import Devices
import Testing

@testable import LinuxDevices

@Suite struct TimerPlanTests {
    func reading(_ uptime: Int, ahead: Int = 1_000_000) -> Moment {
        Moment(wallMilliseconds: uptime + ahead, uptimeMilliseconds: uptime)
    }

    @Test func trustedClock_needsNoWakeUp() {
        for trust in [ClockTrust.synchronised, .hardwareClock] {
            #expect(TimerPlan(trust: trust, at: reading(0)).uptimeMilliseconds == nil)
        }
    }

    @Test func unsetClock_isPolled_untilItIsSet() {
        var plan = TimerPlan(trust: .nobody, at: reading(0))
        #expect(plan.uptimeMilliseconds == 2000)
        #expect(plan.tick(at: reading(2000), trust: .nobody) == [])
        #expect(plan.uptimeMilliseconds == 4000)
        // The other checks do not postpone that time.
        #expect(plan.tick(at: reading(3000), trust: .nobody) == [])
        #expect(plan.uptimeMilliseconds == 4000)
        #expect(plan.tick(at: reading(3500), trust: .synchronised) == [.trustChanged])
        #expect(plan.uptimeMilliseconds == nil)
        #expect(plan.tick(at: reading(9000), trust: .synchronised) == [])
    }

    @Test func unsetClock_isPolledWithABackoff() {
        var plan = TimerPlan(trust: .nobody, at: reading(0))
        var (count, day) = (0, 0)
        while let uptime = plan.uptimeMilliseconds, uptime < 86_400_000 {
            #expect(uptime - day <= max(2000, day / 60))
            (count, day) = (count + 1, uptime)
            #expect(plan.tick(at: reading(uptime), trust: .nobody) == [])
        }
        #expect((300..<600).contains(count))
        // If a program starts to set the clock, it is usually right soon.
        plan.doubtTrust()
        #expect(plan.tick(at: reading(day), trust: .nobody) == [])
        #expect(plan.uptimeMilliseconds == day + 2000)
    }

    @Test func changedTrust_isReported() {
        var plan = TimerPlan(trust: .hardwareClock, at: reading(0))
        #expect(plan.tick(at: reading(10), trust: .synchronised) == [.trustChanged])
        #expect(plan.tick(at: reading(20), trust: .nobody) == [.trustChanged])
        #expect(plan.uptimeMilliseconds == 2020)
    }

    @Test func doubtedTrust_isCheckedAtOnce() {
        var plan = TimerPlan(trust: .hardwareClock, at: reading(500))
        plan.doubtTrust()
        #expect(plan.uptimeMilliseconds.map { $0 <= 500 } == true)
        #expect(plan.tick(at: reading(500), trust: .hardwareClock) == [])
        #expect(plan.uptimeMilliseconds == nil)
    }

    @Test func zoneTouchedSeveralTimesAtOnce_isReportedOnce() {
        var plan = TimerPlan(trust: .synchronised, at: reading(0))
        plan.touchZone(at: reading(1000))
        plan.touchZone(at: reading(1100))
        #expect(plan.uptimeMilliseconds == 1200)
        #expect(plan.tick(at: reading(1199), trust: .synchronised) == [])
        #expect(plan.tick(at: reading(1200), trust: .synchronised) == [.zoneChanged])
        #expect(plan.uptimeMilliseconds == nil)
        plan.touchZone(at: reading(1201))
        #expect(plan.tick(at: reading(1401), trust: .synchronised) == [.zoneChanged])
    }

    @Test func zoneTouchedAllTheTime_isReported() {
        var plan = TimerPlan(trust: .synchronised, at: reading(0))
        var told = 0
        for uptime in 0..<1000 {
            plan.touchZone(at: reading(uptime))
            told += plan.tick(at: reading(uptime), trust: .synchronised).count
        }
        #expect(told == 4)
    }

    @Test func time_isDueWhenItsClockShowsIt() {
        var plan = TimerPlan(trust: .synchronised, at: reading(0))
        plan.times = WakeTimes(wallMilliseconds: 1_005_000, uptimeMilliseconds: 7000)
        #expect(plan.uptimeMilliseconds == 7000)
        #expect(plan.tick(at: reading(4999), trust: .synchronised) == [])
        #expect(plan.tick(at: reading(5000), trust: .synchronised) == [.due])
        #expect(plan.tick(at: reading(5001), trust: .synchronised) == [])
        #expect(plan.tick(at: reading(7000), trust: .synchronised) == [.due])
        #expect(plan.uptimeMilliseconds == nil)
    }

    @Test func timeBehindAForwardStep_isDue_afterABackwardStepIsNot() {
        var plan = TimerPlan(trust: .synchronised, at: reading(0))
        plan.times = WakeTimes(wallMilliseconds: 1_005_000)
        #expect(plan.tick(at: reading(5000, ahead: 0), trust: .synchronised) == [])
        #expect(plan.tick(at: reading(5000, ahead: 9_000_000), trust: .synchronised) == [.due])
    }

    @Test func earliestTime_isTheNextWakeUp() {
        var plan = TimerPlan(trust: .nobody, at: reading(0))
        plan.touchZone(at: reading(100))
        plan.times = WakeTimes(uptimeMilliseconds: 250)
        #expect(plan.uptimeMilliseconds == 250)
        #expect(plan.tick(at: reading(250), trust: .nobody) == [.due])
        #expect(plan.uptimeMilliseconds == 300)
    }
}
