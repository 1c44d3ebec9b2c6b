// The tests of the session diagram: it lists every transition, and the nights take each of them.

import Alarms
import CivilTime
import Engine
import Testing

@testable import simulate

@Suite struct DiagramTests {
    /// The transitions that the type allows.
    static let drawn = Set(
        Phase.steps.flatMap { from, next in next.map { SessionStep(from: from, to: $0) } })

    /// Transitions that are too rare for the nights of every run.
    static let held: Set<SessionStep> = {
        let due = 2 * 3_600_000
        // The owner holds the buttons while two alarms ring. The machine sleeps until the first ring has
        // given up and the emergency exit of the second has expired.
        let wayOut: [(Int, NightEvent)] = [
            (due + 20_000, .hold(milliseconds: 80_000)), (due + 30_000, .suspend(milliseconds: 60_000)),
        ]
        // Without buttons, the second alarm's challenge starts with its ring.
        let buttonless: [(Int, NightEvent)] = [
            (due - 60_000, .health(.buttons, .broken)), (due + 5_000, .ask(.stop)),
        ]
        // The buttons are held while both alarms are silent.
        let silent: [[(Int, NightEvent)]] = [5_000, 70_000].map { snoozed in
            [
                (due + snoozed, .ask(.snooze(seconds: nil))), (due + snoozed + 2_000, .ask(.snooze(seconds: nil))),
                (due + 80_000, .hold(milliseconds: 80_000)),
            ]
        }
        // The power fails for half a day, and the clock loses the time.
        func forgotten(at milliseconds: Int) -> (Int, NightEvent) {
            let gone = 13 * 3_600_000
            return (
                due + milliseconds, .powerCut(milliseconds: gone, hasClock: false, knownAfter: gone + 20_000)
            )
        }
        // A ring is put off while it is heard, waits, is challenged, snoozed or rests.
        func putOff(_ id: Alarm.ID, at milliseconds: Int) -> (Int, NightEvent) {
            (due + milliseconds, .ask(.postpone(id, .seconds(3600))))
        }
        let postponed: [[(Int, NightEvent)]] = [
            [putOff("first", at: 10_000)], [putOff("second", at: 10_000)], [putOff("first", at: 70_000)],
            [(due + 5_000, .ask(.stop)), putOff("first", at: 8_000)],
            [(due + 5_000, .ask(.snooze(seconds: nil))), putOff("first", at: 10_000)],
        ]
        // The challenge of a ring has begun when its buttons are held, and a chore is done in its pause.
        let challenged: [(Int, NightEvent)] = [(due + 5_000, .ask(.stop)), (due + 8_000, .hold(milliseconds: 80_000))]
        let done: [[(Int, NightEvent)]] = [
            [(due + 5_000, .ask(.snooze(seconds: nil))), (due + 10_000, .ask(.done("first")))],
            [(due + 70_000, .ask(.done("first")))],
        ]
        let snoozed = [(due + 5_000, NightEvent.ask(.snooze(seconds: nil))), forgotten(at: 10_000)]
        // A tag completes the challenge at once, in a snooze and in a rest; the check that follows is forgotten.
        func completed(at milliseconds: Int) -> [(Int, NightEvent)] {
            [
                (due + milliseconds, .ask(.stop)), (due + milliseconds + 1000, .touch(tag: "fridge")),
                forgotten(at: milliseconds + 20_000),
            ]
        }
        let checks =
            [[(due + 100, NightEvent.touch(tag: "fridge"))], completed(at: 70_000)]
            + [[(due + 100, .ask(.snooze(seconds: nil)))] + completed(at: 20_000)]
        return (0..<20).reduce(into: []) { steps, number in
            steps.formUnion(Self.steps(number, wayOut, snoozeMax: 0))
            steps.formUnion(Self.steps(number, buttonless, firstHasChallenge: false))
            steps.formUnion(Self.steps(number, challenged))
            steps.formUnion(Self.steps(number, [(due - 60_000, .health(.buttons, .broken))]))
            for happenings in checks { steps.formUnion(Self.steps(number, happenings, isChecked: true)) }
            for happenings in done { steps.formUnion(Self.steps(number, happenings, firstHasChallenge: false)) }
            for happenings in silent + postponed + [[forgotten(at: 10_000)], snoozed, [forgotten(at: 70_000)]] {
                steps.formUnion(Self.steps(number, happenings))
            }
        }
    }()

    /// Returns the transitions of a night in which two alarms ring at once, the first for a minute.
    private static func steps(
        _ number: Int, _ happenings: [(Int, NightEvent)], snoozeMax: Int? = nil, firstHasChallenge: Bool = true,
        isChecked: Bool = false
    ) -> Set<SessionStep> {
        var night = Night(seed: 1, number: number, faults: [])
        night.alarms = ["first", "second"].map { id in
            var alarm = Alarm(id: id)
            alarm.time = ClockTime(hour: 20, minute: 0)
            alarm.recurrence = Recurrence(.daily)
            alarm.ring.ringSeconds = id == "first" ? 60 : 1800
            alarm.allowsPostponing = true
            if let snoozeMax { alarm.snooze.max = snoozeMax }
            alarm.challenges = id == "second" || firstHasChallenge ? [Challenge(.steps(count: 100))] : []
            return alarm
        }
        if isChecked {
            night.alarms.removeLast()
            night.alarms[0].challenges = [Challenge(.tag(labels: ["fridge"]))]
            night.alarms[0].wakeUpCheck = WakeUpCheck(after: 600, within: 600)
        }
        night.events = happenings
        let simulation = Simulation(night)
        simulation.run()
        return simulation.checker.sessions.steps
    }

    @Test func diagramSteps_matchTheStepsOfTheNights() {
        let seen = SimulationTests.nights.steps.union(Self.held)
        #expect(seen.subtracting(Self.drawn) == [], "seen, but not drawn")
        #expect(Self.drawn.subtracting(seen) == [], "drawn, but not seen")
    }
}
