// What may become of a session is drawn in one place, and is what happens.

import Alarms
import CivilTime
import Foundation
import Testing

@testable import simulate

@Suite struct DiagramTests {
    /// The lines `from → to, to, to` of the engine's own description.
    static let drawn: Set<String> = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Engine/Engine.swift")
        let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
        return Set(
            lines.filter { $0.hasPrefix("///     ") && $0.contains(" → ") }.flatMap { line -> [String] in
                let parts = String(line.dropFirst(8)).components(separatedBy: " → ")
                return parts[1].components(separatedBy: ", ").map { "\(parts[0]) → \($0)" }
            })
    }()

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
        let steps = SimulationTests.nights.steps.union(Self.held).union(NotedNights.steps)
        let seen = Set(steps.map(\.description))
        #expect(seen.subtracting(Self.drawn) == [], "seen, but not drawn")
        #expect(Self.drawn.subtracting(seen) == [], "drawn, but not seen; \(NotedNights.remedy)")
    }
}
