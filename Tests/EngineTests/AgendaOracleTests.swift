// The tests of random histories against a plain reference of the table of cursors.

import Oracles
import Testing

@testable import Engine

@Suite struct AgendaOracleTests {
    private static let historyLength = 40
    private static let historiesAtOnce = 500

    @Test func randomHistories_agreeWithTheOracle() throws {
        var left = Thoroughness.pick(3000, full: 1_000_000)
        let first: UInt64 = 1
        var (seed, compared, refused) = (first, 0, 0)
        while left > 0 {
            var runs: [(seed: UInt64, run: AgendaRun)] = []
            while left > 0, runs.count < Self.historiesAtOnce {
                let run = try AgendaRun(history(seed))
                left -= run.lines.count
                refused += run.refusals.count
                runs.append((seed, run))
                seed += 1
            }
            let answers = try oracle(runs.map(\.run))
            for ((seed, run), answers) in zip(runs, answers) where run.lines.map(\.answer) != answers {
                Issue.record("seed \(seed)\n\(try disagreement(history(seed)))")
                return
            }
            compared += runs.reduce(0) { $0 + $1.run.lines.count }
        }
        print("\(compared) steps of \(seed - first) histories agree with the oracle; \(refused) changes were refused")
        #expect(refused < compared / 20)
    }

    private func history(_ seed: UInt64) -> AgendaHistory {
        var random = RandomAgenda(seed: seed)
        return random.history(length: Self.historyLength)
    }

    /// Returns the oracle's answers to the events of each run.
    private func oracle(_ runs: [AgendaRun]) throws -> [[String]] {
        let input = runs.map { run in
            "{\"event\": \"history\"}\n" + run.lines.map { $0.event + "\n" }.joined()
        }.joined()
        let lines = try PythonOracle.lines(of: "agenda_oracle.py", [], input: input, besides: #filePath)
        var next = lines.startIndex
        return runs.map { run in
            let end = min(next + run.lines.count, lines.endIndex)
            defer { next = end }
            return lines[next..<end].map(String.init)
        }
    }

    /// Returns the history up to the first disagreement, and both answers there.
    private func disagreement(_ history: AgendaHistory) throws -> String {
        let run = try AgendaRun(history)
        let answers = try oracle([run])[0]
        var text =
            "begins at \(history.beginsAt) in \(history.zoneName), \(history.isTrusted ? "trusted" : "untrusted")\n"
        var told = -1
        for (index, line) in run.lines.enumerated() {
            for happening in history.happenings[(told + 1)..<(line.happening + 1)] { text += "\(happening)\n" }
            told = max(told, line.happening)
            text += "    \(line.clock)  \(line.answer)\n"
            guard index < answers.count, answers[index] == line.answer else {
                return text + "    the oracle:           \(index < answers.count ? answers[index] : "nothing")\n"
            }
        }
        return text + "they agree"
    }
}
