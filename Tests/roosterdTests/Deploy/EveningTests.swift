// The test of scripts/evening: the evening, the night and the morning of an owner, with real programs.

import Fixtures
import Foundation
import Oracles
import Testing

@Suite struct EveningTests {
    @Test(.timeLimit(.minutes(3))) func eveningNightAndMorning_endInTheHistory() throws {
        let scratch = try Scratch()
        let built = URL(fileURLWithPath: Program.built("roosterd")).deletingLastPathComponent().path
        let run = try Program(
            "\(Checkout.path)/scripts/evening", ["--built", built], environment: ["TMPDIR": scratch.path])
        #expect(run.exitStatus == 0, "\(run.output)\n\(run.errors)")
        // In this order.
        let steps = [
            #"Enrolled the code "bathroom""#, "Added Work", "In bed since", "rises, and is full",
            "Work RINGS since 06:",
            "early", "rings again in", "Show the code", "whether you are awake", "dismissed", "1 snooze", "awake at",
        ]
        var rest = Substring(run.output)
        for step in steps {
            let place = try #require(rest.range(of: step), "\(step) is missing in:\n\(rest)")
            rest = rest[place.upperBound...]
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }
}
