// The tests of the sums at each level: a sleeper can do them, and the result is right.

import Testing

@testable import Challenges

@Suite struct SumTests {
    /// Returns the numbers, the signs between them, and the result computed from the text.
    private func reckoned(_ text: String) -> (numbers: [Int], signs: [String], result: Int?) {
        let words = text.split(separator: " ").map(String.init)
        let numbers = stride(from: 0, to: words.count, by: 2).compactMap { Int(words[$0]) }
        let signs = stride(from: 1, to: words.count, by: 2).map { words[$0] }
        guard numbers.count == signs.count + 1, var result = numbers.first else { return (numbers, signs, nil) }
        // A product comes first in every sum, so evaluation from left to right is correct.
        for (sign, number) in zip(signs, numbers.dropFirst()) {
            switch sign {
            case "+": result += number
            case "−": result -= number
            case "×": result *= number
            default: return (numbers, signs, nil)
            }
        }
        return (numbers, signs, result)
    }

    private func sums(_ level: Int) -> [Sum] {
        var chance = SeededGenerator(seed: 7)
        return (0..<2000).map { _ in Sum(level: level, number: 1, chance: &chance) }
    }

    @Test(arguments: 1...3) func result_isCorrectForTheShownSum(level: Int) {
        for sum in sums(level) { #expect(reckoned(sum.text).result == sum.result, "\(sum.text)") }
        #expect(Set(sums(level).map(\.text)).count > 60)
    }

    @Test func level1_addsOrSubtracts_twoDigitNumbers_withACarry() {
        for sum in sums(1) {
            let (numbers, signs, _) = reckoned(sum.text)
            #expect(numbers.count == 2 && numbers.allSatisfy { 10...99 ~= $0 } && sum.result > 0, "\(sum.text)")
            let (a, b) = (numbers[0] % 10, numbers[1] % 10)
            #expect(signs[0] == "+" ? a + b >= 10 : signs[0] == "−" && a < b, "\(sum.text)")
        }
        #expect(Set(sums(1).map { reckoned($0.text).signs }).count == 2)
    }

    /// Level 2 must not be easier than level 1, so no factor of 10, and no 11 times a single digit.
    @Test func level2_multiplies_upTo12Times19_withoutEasyFactors() {
        for sum in sums(2) {
            let (numbers, signs, _) = reckoned(sum.text)
            #expect(signs == ["×"] && 6...12 ~= numbers[0] && 7...19 ~= numbers[1], "\(sum.text)")
            #expect(!numbers.contains(10) && (!numbers.contains(11) || numbers.allSatisfy { $0 > 10 }), "\(sum.text)")
        }
        #expect(sums(2).contains { $0.result == 12 * 19 })
    }

    @Test func level3_multiplies_thenAddsOrSubtracts() {
        for sum in sums(3) {
            let (numbers, signs, _) = reckoned(sum.text)
            #expect(signs.count == 2 && signs[0] == "×" && ["+", "−"].contains(signs[1]), "\(sum.text)")
            #expect(6...12 ~= numbers[0] && 7...19 ~= numbers[1] && 2...9 ~= numbers[2], "\(sum.text)")
        }
        #expect(Set(sums(3).map { reckoned($0.text).signs[1] }).count == 2)
    }
}
