// The tests of the sums challenge against a plain reference: answers, time limits and lock-outs.

import Testing

@testable import Challenges

@Suite struct SumsTests {
    /// What the rules (BEHAVIOUR.md, 4.5) say about the sum that is asked.
    private struct Reference {
        var left: Int
        var deadline: Int
        var wrongCount = 0
        var lockedUntil = 0
        var previous: (sum: Sum, until: Int)?
    }

    private static let limitSeconds = 20

    @Test(arguments: 0..<200) func randomAnswers_agreeWithTheRules(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        let count = chance.number(in: 1...4)
        var uptime = 1_000_000
        var sums = Sums(
            level: chance.number(in: 1...3), count: count, limitSeconds: Self.limitSeconds, chance: chance,
            uptime: uptime)
        var rules = Reference(left: count, deadline: uptime + Self.limitSeconds * 1000)
        for _ in 0..<100 {
            uptime += chance.number(in: 1...9000)
            let before = sums.sum
            let isOver = uptime >= max(rules.deadline, rules.lockedUntil)
            #expect(sums.update(uptime: uptime) == isOver)
            #expect((sums.sum == before) != isOver)
            if isOver {
                rules.previous = (before, uptime + 10_000)
                rules.deadline = uptime + Self.limitSeconds * 1000
            }
            let asked = sums.sum
            let (answer, number) = Self.answer(to: asked, rules.previous?.sum, &chance)
            let result = sums.answer(answer, to: number, uptime: uptime)
            #expect(result == Self.result(answer, to: number, asked, &rules, at: uptime))
            if result == .done { break }
            #expect(
                sums.left == rules.left && sums.lockMilliseconds(uptime: uptime) == max(0, rules.lockedUntil - uptime))
        }
    }

    /// A right answer, a wrong one, or one that is right for the sum before.
    private static func answer(
        to sum: Sum, _ previous: Sum?, _ chance: inout SeededGenerator
    ) -> (result: Int, number: Int?) {
        switch chance.number(in: 0...6) {
        case 0, 1: (sum.result, sum.number)
        case 2: (sum.result, nil)
        case 3: (previous?.result ?? -1, nil)
        case 4: (sum.result, sum.number - 1)
        default: (-1, sum.number)
        }
    }

    private static func result(
        _ answer: Int, to number: Int?, _ asked: Sum, _ rules: inout Reference, at uptime: Int
    ) -> Progress {
        if uptime < rules.lockedUntil { return .lockedOut(rules.lockedUntil - uptime, isNew: false) }
        if number == asked.number - 1 { return .late }
        if answer == asked.result {
            rules.left -= 1
            rules.wrongCount = 0
            if rules.left == 0 { return .done }
            rules.previous = (asked, uptime + 10_000)
            rules.deadline = uptime + limitSeconds * 1000
            return .further
        }
        if let previous = rules.previous, previous.sum.result == answer, uptime < previous.until { return .late }
        rules.wrongCount += 1
        guard rules.wrongCount == 3 else { return .wrong }
        rules.wrongCount = 0
        rules.lockedUntil = uptime + 30_000
        rules.deadline = uptime + limitSeconds * 1000
        return .lockedOut(30_000, isNew: true)
    }

    /// A power cut must neither ask for solved sums again nor leave none to solve.
    @Test func recordedProgress_continues() {
        for solved in 0...3 {
            let before = Sums.PriorProgress(solvedCount: solved, lockMilliseconds: 5000)
            let sums = Sums(
                level: 1, count: 3, limitSeconds: 20, chance: SeededGenerator(seed: 1), uptime: 100, before: before)
            #expect(sums.left == max(1, 3 - solved) && sums.lockMilliseconds(uptime: 100) == 5000)
        }
    }

    @Test func example_isAlwaysTheSame() {
        for level in 1...3 { #expect(Sum.example(level: level) == Sum.example(level: level)) }
    }
}
