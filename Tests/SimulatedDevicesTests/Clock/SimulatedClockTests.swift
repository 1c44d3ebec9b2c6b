// The tests of the simulated clock at any speed.

import CivilTime
import Devices
import Glibc
import Oracles
import Testing

@testable import SimulatedDevices

@Suite struct SimulatedTimeTests {
    @Test func speedOne_hasTheMachinesUptime() {
        for start in [0, 1, 999_999, 1_000_000, 123_456_789_012_345] {
            let time = SimulatedTime(wallMilliseconds: 5000, speed: 1, at: start)
            for elapsed in [0, 1, 999_999, 1_000_000, 86_400_000_000_001] {
                let reading = time.reading(at: start + elapsed)
                #expect(reading.uptimeMilliseconds == (start + elapsed) / 1_000_000)
                #expect(reading.wallMilliseconds - 5000 == reading.uptimeMilliseconds - start / 1_000_000)
            }
        }
    }

    /// A clock that is already slow must not be sped up.
    @Test(arguments: [(0.5, 500), (1, 1000), (60, 1000), (100_000, 1000)])
    func pinnedClock_isNotFasterThanTheMachine(speed: Double, milliseconds: Int) {
        var time = SimulatedTime(wallMilliseconds: 0, speed: speed, at: 0)
        time.pin(true, from: 0)
        #expect(time.reading(at: 1_000_000_000).wallMilliseconds == milliseconds)
        #expect(time.speed == speed)
        time.pin(false, from: 1_000_000_000)
        #expect(time.reading(at: 2_000_000_000).wallMilliseconds == milliseconds + Int(speed * 1000))
    }

    static let odd: [(Double, Double)] = [(-7, 0.01), (1e300, 100_000), (.nan, 1), (.infinity, 1), (-.infinity, 1)]

    @Test(arguments: odd)
    func impossibleSpeed_isClamped_orIgnored(speed: Double, possible: Double) {
        var time = SimulatedTime(wallMilliseconds: 0, speed: 1, at: 0)
        time.run(at: speed, from: 1)
        #expect(time.speed == possible)
        #expect(SimulatedTime(wallMilliseconds: 0, speed: speed, at: 0).speed == possible)
    }

    /// Speeds and clocks are set at random. Uptime must never go back, and only setting a clock may part
    /// the two. A sleep of the computed length must end when the clock shows the time, and hardly later.
    @Test func randomHistories_keepTime() {
        for seed in 0..<UInt64(Thoroughness.pick(300, full: 20_000)) {
            var random = SeededRandom(seed: seed)
            var now = Int.random(in: 0...1_000_000_000_000, using: &random)
            var time = SimulatedTime(wallMilliseconds: 1_700_000_000_000, speed: 1, at: now)
            var last = time.reading(at: now)
            for _ in 0..<30 {
                now += Int.random(in: 0...3_000_000_000, using: &random)
                var jumped = 0
                let before = time.reading(at: now)
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    time.run(at: [0.5, 1, 7.3, 60, 480, 100_000].randomElement(using: &random) ?? 1, from: now)
                    // A change of speed must not move the clock.
                    #expect(time.reading(at: now) == before, "seed \(seed)")
                case 4:
                    time.pin(Bool.random(using: &random), from: now)
                    #expect(time.reading(at: now) == before, "seed \(seed)")
                case 1:
                    jumped = Int.random(in: -1_000_000...1_000_000, using: &random)
                    time.jump(byMilliseconds: jumped)
                default: break
                }
                let reading = time.reading(at: now)
                #expect(reading.uptimeMilliseconds >= last.uptimeMilliseconds, "seed \(seed)")
                let passed = reading.uptimeMilliseconds - last.uptimeMilliseconds
                #expect(reading.wallMilliseconds - last.wallMilliseconds == passed + jumped, "seed \(seed)")
                last = reading
                checkSleep(time, from: now, &random, "seed \(seed)")
            }
        }
    }

    func checkSleep(_ time: SimulatedTime, from now: Int, _ random: inout SeededRandom, _ note: Comment) {
        let reading = time.reading(at: now)
        var times = WakeTimes()
        let ahead = Int.random(in: -1000...100_000, using: &random)
        if Bool.random(using: &random) {
            times.wallMilliseconds = reading.wallMilliseconds + ahead
        } else {
            times.uptimeMilliseconds = reading.uptimeMilliseconds + ahead
        }
        guard let sleep = time.nanosecondsUntil(times, from: now) else {
            Issue.record("there is a time to wait for")
            return
        }
        if ahead <= 0 {
            #expect(sleep == 0, note)
            return
        }
        // One nanosecond covers the rounding.
        #expect(isDue(times, at: time.reading(at: now + sleep + 1)), note)
        #expect(!isDue(times, at: time.reading(at: now + sleep - 2)), note)
    }

    func isDue(_ times: WakeTimes, at reading: Moment) -> Bool {
        var times = times
        return times.removeDue(at: reading)
    }

    @Test func emptyWakeTimes_areNotAwaited() {
        let time = SimulatedTime(wallMilliseconds: 0, speed: 1, at: 0)
        #expect(time.nanosecondsUntil(WakeTimes(), from: 0) == nil)
        #expect(time.nanosecondsUntil(WakeTimes(wallMilliseconds: .max), from: 0) == 86_400_000_000_000)
        #expect(time.nanosecondsUntil(WakeTimes(uptimeMilliseconds: .min), from: 5) == 0)
    }
}

@Suite(.timeLimit(.minutes(1))) struct SimulatedClockTests {
    @Test func hourAtFullSpeed_endsSoon() async {
        let clock = SimulatedClock(wallMilliseconds: 1_700_000_000_000, speed: 100_000)
        var heard = clock.events.makeAsyncIterator()
        for _ in 0..<3 {
            let due = clock.reading.wallMilliseconds + 3_600_000
            clock.set(WakeTimes(wallMilliseconds: due))
            #expect(await heard.next() == [.due])
            #expect(clock.reading.wallMilliseconds >= due)
            let uptime = clock.reading.uptimeMilliseconds + 3_600_000
            clock.set(WakeTimes(uptimeMilliseconds: uptime))
            #expect(await heard.next() == [.due])
            #expect(clock.reading.uptimeMilliseconds >= uptime)
        }
    }

    @Test func wait_isShorterWhenTheClockRunsFaster() async {
        let clock = SimulatedClock(wallMilliseconds: 0)
        var heard = clock.events.makeAsyncIterator()
        clock.set(WakeTimes(wallMilliseconds: 36_000_000))
        clock.speed = 100_000
        #expect(await heard.next() == [.due])
        #expect(clock.reading.wallMilliseconds >= 36_000_000)
    }

    @Test func clockStep_isReported_withTheTimeThatItMakesDue() async {
        let clock = SimulatedClock(wallMilliseconds: 0)
        var heard = clock.events.makeAsyncIterator()
        clock.set(WakeTimes(wallMilliseconds: 36_000_000))
        clock.jump(byMilliseconds: 1000)
        #expect(await heard.next() == [.clockSet])
        clock.jump(byMilliseconds: 36_000_000)
        var events: Set<TimerEvent> = []
        while !events.contains(.due) { events.formUnion(await heard.next() ?? [.due]) }
        #expect(events == [.clockSet, .due])
        let before = clock.reading.uptimeMilliseconds
        clock.jump(byMilliseconds: -90_000_000)
        #expect(clock.reading.wallMilliseconds < 0)
        #expect(clock.reading.uptimeMilliseconds >= before)
    }

    @Test func changedTrustAndZone_areReported() async {
        let clock = SimulatedClock(wallMilliseconds: 0, trust: .nobody, zoneName: "Europe/Berlin")
        var heard = clock.events.makeAsyncIterator()
        clock.zoneName = "Europe/Berlin"
        clock.trust = .nobody
        clock.trust = .synchronised
        #expect(await heard.next() == [.trustChanged])
        clock.zoneName = "America/New_York"
        #expect(await heard.next() == [.zoneChanged])
        #expect(clock.trust == .synchronised && clock.zoneName == "America/New_York")
    }

    @Test func uptime_isTheMachinesOwn() {
        let clock = SimulatedClock(wallMilliseconds: 0)
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let before = time.tv_sec * 1000 + time.tv_nsec / 1_000_000
        let uptime = clock.reading.uptimeMilliseconds
        clock_gettime(CLOCK_BOOTTIME, &time)
        #expect(before <= uptime && uptime <= time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }

    @Test func releasedClock_endsItsStream() async {
        var clock: SimulatedClock? = SimulatedClock(wallMilliseconds: 0)
        var heard = clock?.events.makeAsyncIterator()
        clock?.set(WakeTimes(wallMilliseconds: 36_000_000))
        clock = nil
        #expect(await heard?.next() == nil)
    }
}
