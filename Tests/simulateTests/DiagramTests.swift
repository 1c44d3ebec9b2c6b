// What may become of a session is drawn in one place, and is what happens.

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

    @Test func everyStepThatHappens_isDrawn_andEveryOneThatIsDrawnHappens() {
        // In a night of ten thousand, buttons are held while the session that waits comes to be heard.
        var rare = Simulation(seed: 1, faults: [.buttons, .suspend, .people])
        rare.run(1, from: 9878)
        let seen = Set((SimulationTests.nights.steps.union(rare.steps)).map(\.description))
        #expect(seen.subtracting(Self.drawn) == [], "seen, but not drawn")
        #expect(Self.drawn.subtracting(seen) == [], "drawn, but not seen")
    }
}
