// What may become of a session is drawn in one place, and is what happens.

import Alarms
import CivilTime
import Engine
import Testing

@testable import simulate

@Suite struct DiagramTests {
    /// The steps that the type allows.
    static let drawn = Set(
        Phase.steps.flatMap { from, next in next.map { SessionStep(from: from, to: $0) } })

    /// What is too rare for the nights of every run: buttons are held while two ring, and the machine sleeps until the one
    /// that is heard has given up, and the other one's way out is over.
    static let held: Set<SessionStep> = (0..<20).reduce(into: []) { steps, number in
        var night = Night(seed: 1, number: number, faults: [])
        night.alarms = ["first", "second"].map { id in
            var alarm = Alarm(id: id)
            alarm.time = ClockTime(hour: 20, minute: 0)
            alarm.recurrence = Recurrence(.daily)
            alarm.ring.ringSeconds = id == "first" ? 60 : 1800
            alarm.snooze.max = 0
            alarm.challenges = [Challenge(.steps(count: 100))]
            return alarm
        }
        let due = 2 * 3_600_000
        night.happenings = [
            (due + 20_000, .hold(milliseconds: 80_000)), (due + 30_000, .suspend(milliseconds: 60_000)),
        ]
        let world = World(night)
        world.run()
        steps.formUnion(world.watcher.sessions.steps)
    }

    @Test func everyStepThatHappens_isDrawn_andEveryOneThatIsDrawnHappens() {
        let seen = SimulationTests.nights.steps.union(Self.held).union(NotedNights.steps)
        #expect(seen.subtracting(Self.drawn) == [], "seen, but not drawn")
        #expect(Self.drawn.subtracting(seen) == [], "drawn, but not seen; \(NotedNights.remedy)")
    }
}
