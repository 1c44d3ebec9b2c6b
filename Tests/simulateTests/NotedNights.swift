// Which night is known to show a planted defect or a rare step, so that no run of the tests has to search for it.

import Foundation
import Testing

@testable import simulate

/// The nights that `nights.txt` lists. A change of the engine can change what happens in a night: `NotedNightsTests` then writes
/// the list anew.
enum NotedNights {
    static let seed: UInt64 = 1
    /// How many nights are searched for a defect, and for a step.
    static let defectNightsMax = 600
    static let stepNightsMax = 2000

    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("nights.txt")
    static let remedy =
        "after a change of the engine, write the list anew: ROOSTER_NOTE_NIGHTS=1 swift test --filter NotedNightsTests"

    /// The night that shows what is called so.
    static let byName: [String: Int] = {
        let lines = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
        let pairs = lines.compactMap { line -> (String, Int)? in
            guard let space = line.firstIndex(of: " "), let night = Int(line[..<space]) else { return nil }
            return (String(line[line.index(after: space)...]), night)
        }
        return Dictionary(pairs) { first, _ in first }
    }()

    /// The steps of sessions in the nights that are listed for steps.
    static let steps: Set<SessionStep> = byName.reduce(into: []) { steps, noted in
        guard noted.key.contains(" → ") else { return }
        var simulation = SimulationRun(seed: seed, faults: SimulationTests.all)
        simulation.run(1, from: noted.value)
        steps.formUnion(simulation.steps)
    }
}

@Suite struct NotedNightsTests {
    /// Writes `nights.txt`. It fails where no night shows a defect.
    @Test(.enabled(if: getenv("ROOSTER_NOTE_NIGHTS") != nil, "only to write the list anew"))
    func nightsThatShowSomething_areNoted() throws {
        var lines: [String] = []
        for planted in PlantedDefect.all {
            let failure = planted.search()
            #expect(failure.map(planted.breaks) == true, "\(planted.name): \(failure?.violation ?? "in no night")")
            if let failure { lines.append("\(failure.night.number) \(planted.name)") }
        }
        for (step, night) in rareSteps().sorted(by: { $0.value < $1.value }) { lines.append("\(night) \(step)") }
        let head = """
            # The first night of seed \(NotedNights.seed) that shows each planted defect, and each step of a session that is too rare for
            # the nights of every run. Written by: ROOSTER_NOTE_NIGHTS=1 swift test --filter NotedNightsTests
            """
        let text = ([head] + lines).joined(separator: "\n") + "\n"
        try text.write(to: NotedNights.file, atomically: true, encoding: .utf8)
        print(text)
    }

    /// The first night of each step that is drawn, and that the nights of every run do not show.
    private func rareSteps() -> [SessionStep: Int] {
        var (found, seen) = ([SessionStep: Int](), DiagramTests.held)
        for first in stride(from: 0, to: NotedNights.stepNightsMax, by: 50) {
            guard !DiagramTests.drawn.isSubset(of: seen) else { break }
            var several = SimulationRun(seed: NotedNights.seed, faults: SimulationTests.all)
            several.run(50, from: first)
            guard !several.steps.isSubset(of: seen) else { continue }
            for number in first..<first + 50 {
                var one = SimulationRun(seed: NotedNights.seed, faults: SimulationTests.all)
                one.run(1, from: number)
                for step in one.steps.subtracting(seen) where number >= SimulationTests.nightCount {
                    found[step] = number
                }
                seen.formUnion(one.steps)
            }
        }
        return found
    }
}

extension PlantedDefect {
    /// Whether this is a failure that the defect explains.
    func breaks(_ failure: SimulationRun.Failure) -> Bool {
        promises.contains(failure.promise)
    }

    /// The first night that goes wrong with it.
    func search() -> SimulationRun.Failure? {
        var simulation = SimulationRun(seed: NotedNights.seed, faults: SimulationTests.all)
        simulation.run(NotedNights.defectNightsMax, defect: make)
        return simulation.failure
    }

    /// The night that is noted for it.
    func runNotedNight() throws -> SimulationRun {
        let number = try #require(NotedNights.byName[name], "\(name): no night is noted; \(NotedNights.remedy)")
        var simulation = SimulationRun(seed: NotedNights.seed, faults: SimulationTests.all)
        simulation.run(1, from: number, defect: make)
        return simulation
    }
}
