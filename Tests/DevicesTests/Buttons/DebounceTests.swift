// The tests of the debouncing: random edges against a simple reference, and realistic presses.

import Oracles
import Testing

@testable import Devices

@Suite struct DebounceTests {
    // MARK: against the reference

    @Test(arguments: [false, true]) func randomTrains_agreeWithTheOracle(areStamped: Bool) throws {
        let count = Thoroughness.pick(10_000, full: 300_000)
        var random = SeededRandom(seed: areStamped ? 1 : 2)
        var (trains, answers): ([EdgeTrain], [String]) = ([], [])
        for _ in 0..<count {
            let train = EdgeTrain(any: &random)
            var line = KernelLine(train)
            line.isStamped = areStamped
            // With time stamps the reader may be late.
            let latenessMax = areStamped ? Int.random(in: 0...200, using: &random) : 0
            answers.append(line.moves { Int.random(in: 0...latenessMax, using: &random) }.text)
            trains.append(train)
        }
        let expected = try PythonOracle.lines(
            of: "debounce_oracle.py", [], input: trains.map { $0.text + "\n" }.joined(), besides: #filePath)
        try #require(expected.count == count)
        for (index, (answer, expected)) in zip(answers, expected).enumerated() where answer != expected {
            Issue.record("train \(index): \(trains[index].text)\n\(answer)\n\(expected)")
            return
        }
        print("\(count) trains of edges, \(areStamped ? "with" : "without") time stamps, agree with the oracle")
    }

    // MARK: presses

    /// Each press counts once, with any loss of edges in the kernel and any delay of the reader.
    @Test(arguments: [KernelLine.Overflow.none, .dropsNewest, .dropsOldest], [false, true])
    func bouncingPress_isReportedOnce(overflow: KernelLine.Overflow, areStamped: Bool) {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2000 {
            let train = EdgeTrain(pressed: &random)
            var line = KernelLine(train)
            (line.isStamped, line.overflow) = (areStamped, overflow)
            let moves = line.moves { Int.random(in: 0...8, using: &random) }
            let wanted = train.contacts
            guard moves.map(\.isDown) == wanted.map(\.isDown),
                zip(moves, wanted).allSatisfy({ (0...8).contains($0.uptime - $1.uptime) })
            else {
                Issue.record("\(train.text)\n\(moves.text)\nfor\n\(wanted.text)")
                return
            }
        }
    }

    /// A loose wire or a floating line: the last report must equal the line's final state.
    @Test(arguments: [KernelLine.Overflow.dropsNewest, .dropsOldest], [false, true])
    func chatteringLine_isReportedInTurns_andEndsInItsFinalState(overflow: KernelLine.Overflow, areStamped: Bool) {
        var random = SeededRandom(seed: 4)
        for _ in 0..<1000 {
            let train = EdgeTrain(chattering: &random)
            var line = KernelLine(train)
            (line.isStamped, line.overflow) = (areStamped, overflow)
            let moves = line.moves { Int.random(in: 0...100, using: &random) }
            let states = [train.isDownAtFirst] + moves.map(\.isDown)
            let isAsItIs = states.last == train.edges.last?.isDown
            let areInTurns = zip(states, states.dropFirst()).allSatisfy { $0 != $1 }
            let areApart = zip(moves, moves.dropFirst()).allSatisfy {
                $1.uptime - $0.uptime >= Debounce.deafMilliseconds
            }
            guard isAsItIs, areInTurns, areApart else {
                Issue.record("\(train.text)\n\(moves.text)")
                return
            }
            // Even fast chatter wakes the thread only this often.
            let span = train.edges.last.map { $0.uptime - (train.edges.first?.uptime ?? 0) } ?? 0
            #expect(line.hearings <= 4 + 2 * (span / Debounce.deafMilliseconds + 2))
        }
    }

    @Test func release_withinTheDebounceTime_isReportedAfterIt() {
        var debounce = Debounce(isDown: false)
        #expect(debounce.edge(isDown: true, uptime: 100, now: 100).text == "= 100:1")
        #expect(debounce.edge(isDown: false, uptime: 120, now: 120).isEmpty)
        #expect(debounce.readUptime == 150)
        #expect(debounce.read(isDown: false, uptime: 151).text == "= 150:0")
        #expect(debounce.read(isDown: false, uptime: 200).isEmpty)
        #expect(debounce.readUptime == nil)
    }
}

extension [Debounce.DebouncedEdge] {
    /// The edges in the oracle's format.
    var text: String { "=" + map { " \($0.uptime):\($0.isDown ? 1 : 0)" }.joined() }
}
