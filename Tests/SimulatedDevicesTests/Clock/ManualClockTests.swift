// Hands that tests move.

import Devices
import Mocks
import Oracles
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
    /// Reads what was told so far: what comes before a change that only this makes.
    struct Listener {
        let clock: ManualClock
        var heard: AsyncStream<TimerEvent>.Iterator

        init(_ clock: ManualClock) {
            self.clock = clock
            heard = clock.events.makeAsyncIterator()
        }

        mutating func all() async -> [TimerEvent] {
            clock.zoneName += "x"
            var events: [TimerEvent] = []
            while let event = await heard.next(), event != .zoneChanged { events.append(event) }
            return events
        }
    }

    func clock() -> ManualClock {
        ManualClock(ClockReading(wallMilliseconds: 1_000_000, uptimeMilliseconds: 500))
    }

    @Test func hands_moveAsTheyAreMoved() async {
        let clock = clock()
        var listener = Listener(clock)
        clock.advance(byMilliseconds: 250)
        #expect(clock.reading == ClockReading(wallMilliseconds: 1_000_250, uptimeMilliseconds: 750))
        #expect(await listener.all() == [])
        clock.step(byMilliseconds: -5000)
        #expect(clock.reading == ClockReading(wallMilliseconds: 995_250, uptimeMilliseconds: 750))
        #expect(await listener.all() == [.clockSet])
        clock.trust = .nobody
        clock.trust = .nobody
        #expect(await listener.all() == [.trustChanged])
    }

    @Test func time_isDueAtItsMillisecond() async {
        let clock = clock()
        var listener = Listener(clock)
        clock.set(wallMilliseconds: 1_000_100, uptimeMilliseconds: nil)
        clock.advance(byMilliseconds: 99)
        #expect(await listener.all() == [])
        clock.advance(byMilliseconds: 1)
        #expect(await listener.all() == [.due])
        clock.advance(byMilliseconds: 1000)
        #expect(await listener.all() == [])
    }

    @Test func stepOverATime_isToldBeforeThatItIsDue() async {
        let clock = clock()
        var listener = Listener(clock)
        clock.set(wallMilliseconds: 1_000_100, uptimeMilliseconds: nil)
        clock.step(byMilliseconds: 100)
        #expect(await listener.all() == [.clockSet, .due])
    }

    @Test func wakes_areToldAsTheyAreAskedFor() async {
        let clock = clock()
        var asked = clock.wakes.makeAsyncIterator()
        clock.set(wallMilliseconds: 5, uptimeMilliseconds: nil)
        clock.set(wallMilliseconds: nil, uptimeMilliseconds: 900)
        #expect(await asked.next() == WakeTimes(wallMilliseconds: 5))
        #expect(await asked.next() == WakeTimes(uptimeMilliseconds: 900))
        #expect(clock.times == WakeTimes(uptimeMilliseconds: 900))
    }

    /// Whatever is done to it, a time is due when it is passed, once, and at no other time.
    @Test func anyHistory_tellsWhatHappened() async {
        for seed in 0..<UInt64(Thoroughness.pick(200, full: 5000)) {
            var random = SeededRandom(seed: seed)
            let clock = clock()
            var listener = Listener(clock)
            var (now, trust, wall, uptime) = (clock.reading, clock.trust, Int?.none, Int?.none)
            for _ in 0..<30 {
                var expected: [TimerEvent] = []
                switch Int.random(in: 0..<8, using: &random) {
                case 0:
                    let by = Int.random(in: -300...300, using: &random)
                    now.wallMilliseconds += by
                    expected = [.clockSet]
                    clock.step(byMilliseconds: by)
                case 1:
                    let new = ClockTrust.allCases.randomElement(using: &random) ?? .nobody
                    if new != trust { expected = [.trustChanged] }
                    trust = new
                    clock.trust = new
                case 2, 3:
                    let first = Int.random(in: -50...300, using: &random)
                    let second = Int.random(in: -50...300, using: &random)
                    wall = Bool.random(using: &random) ? now.wallMilliseconds + first : nil
                    uptime = Bool.random(using: &random) ? now.uptimeMilliseconds + second : nil
                    clock.set(wallMilliseconds: wall, uptimeMilliseconds: uptime)
                default:
                    let by = Int.random(in: 0...100, using: &random)
                    now.wallMilliseconds += by
                    now.uptimeMilliseconds += by
                    clock.advance(byMilliseconds: by)
                }
                var isDue = false
                if let time = wall, time <= now.wallMilliseconds { (wall, isDue) = (nil, true) }
                if let time = uptime, time <= now.uptimeMilliseconds { (uptime, isDue) = (nil, true) }
                #expect(clock.reading == now, "seed \(seed)")
                #expect(await listener.all() == expected + (isDue ? [.due] : []), "seed \(seed)")
            }
        }
    }
}
