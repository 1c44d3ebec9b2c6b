// The tests of random histories of a session with a wake-up check, against a plain reference in Python.

import Alarms
import Challenges
import Oracles
import Testing

@testable import Engine

@Suite struct CheckOracleTests {
    private static let stepsPerHistory = 40

    @Test func randomSessions_agreeWithTheOracle() throws {
        let count = Thoroughness.pick(200, full: 25_000)
        var (input, found, seeds) = ("", [String](), [UInt64]())
        for seed in 1...UInt64(count) {
            let run = try history(seed)
            input += run.input
            found += run.states
            seeds += run.states.map { _ in seed }
        }
        let expected = try PythonOracle.lines(of: "check_oracle.py", [], input: input, besides: #filePath).map(
            String.init)
        try #require(expected.count == found.count)
        if let index = found.indices.first(where: { found[$0] != expected[$0] }) {
            let seed = seeds[index]
            let steps = try history(seed).input.split(separator: "\n")
            let step = index - (seeds.firstIndex(of: seed) ?? 0)
            Issue.record(
                "seed \(seed), step \(step): \(found[index]) instead of \(expected[index])\n\(steps.prefix(step + 2))")
        }
        // The histories reach every state.
        for state in ["ringing", "snoozed", "resting", "checking", "dismissed", "unanswered"] {
            #expect(found.contains { $0.hasPrefix(state) }, "\(state)")
        }
        #expect(found.contains { $0.hasSuffix(" 3 3") })
    }

    /// Returns a random history: the input of the oracle, and the engine's state after each step.
    private func history(_ seed: UInt64) throws -> (input: String, states: [String]) {
        var chance = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { chance.number(in: range) }
        var fixture = try EngineFixture(startedAt: "2026-01-12T06:00:00Z")
        let fridge = EnrolledCode(label: "fridge", kind: .tag, digest: CodeDigest("fridge"))
        fixture.ask(.enrol(fridge))
        var alarm = Alarm.daily("work", "07:00", Challenge(.tag(labels: ["fridge"])))
        let check = WakeUpCheck(after: number(60...400), within: number(30...200))
        alarm.wakeUpCheck = check
        (alarm.ring.ringSeconds, alarm.ring.rounds) = (number(60...400), number(1...3))
        (alarm.ring.restSeconds, alarm.snooze.seconds) = (number(60...200), number(300...400))
        alarm.snooze.max = number(0...2)
        fixture.ask(.save(alarm))
        fixture.pass(milliseconds: 3_600_000)
        var input =
            "{\"after\": \(check.afterSeconds), \"within\": \(check.withinSeconds), \"for\": \(alarm.ring.ringSeconds), "
            + "\"rounds\": \(alarm.ring.rounds), \"rest\": \(alarm.ring.restSeconds), "
            + "\"snooze\": \(alarm.snooze.seconds), \"snoozes\": \(alarm.snooze.max ?? 0)}\n"
        var states: [String] = []
        for _ in 0..<Self.stepsPerHistory {
            let (seconds, off) = (number(1...(number(0...2) == 0 ? 300 : 60)), number(1...200))
            let action = ["stop", "snooze", "key", "tag", "awake", "cut", "wait", "tag"][number(0...7)]
            fixture.pass(milliseconds: seconds * 1000)
            switch action {
            case "stop", "snooze":
                let button: Button = action == "stop" ? .stop : .snooze
                for isDown in [true, false] { fixture.give(.button(button, isDown: isDown)) }
            case "key": fixture.give(.keyPressed)
            case "tag": fixture.give(.tag([fridge.digest]))
            case "awake": fixture.ask(.awake)
            case "cut":
                fixture.wallMilliseconds += off * 1000
                fixture.uptimeMilliseconds = 5000
                fixture.start(seed: seed)
            default: break
            }
            input += "{\"seconds\": \(seconds), \"action\": \"\(action)\", \"off\": \(off)}\n"
            states.append(state(fixture))
        }
        return (input, states)
    }

    private func state(_ fixture: EngineFixture) -> String {
        let status = fixture.engine.at(fixture.moment).status().sessions.first
        let past = fixture.engine.history.first
        guard let session = status?.session ?? past?.session else { return "nothing" }
        let name =
            switch session.state {
            case .ringing, .challenged: "ringing"
            case .snoozed: "snoozed"
            case .resting: "resting"
            case .checking: "checking"
            case .ended(let ending): ending.rawValue
            }
        let left = status?.leftMilliseconds.map { " \($0 / 1000)" } ?? ""
        let asks = status?.asksMilliseconds == 0 ? " asks" : ""
        let counts = [session.snoozeCount, session.restCount, session.checkCount, session.failedCheckCount]
        return "\(name)\(left)\(asks), \(counts.map(String.init).joined(separator: " "))"
    }
}
