// The sums challenge.

package struct Sum: Hashable, Sendable {
    /// The text as shown: `7 × 12 + 5`.
    package let text: String
    /// The number of the sum in its challenge, by which an answer can name it.
    package let number: Int
    package let result: Int

    /// A random sum of a level: 1 adds or subtracts two-digit numbers with a carry, 2 multiplies up to 12 ×
    /// 19, 3 does both. None is too easy: no factor is ten, and eleven only multiplies numbers above ten.
    init(level: Int, number: Int, chance: inout SeededGenerator) {
        self.number = number
        guard level > 1 else {
            (text, result) = Sum.withCarry(&chance)
            return
        }
        let factors = (6...12).filter { $0 != 10 }
        let a = factors[chance.number(in: 0...factors.count - 1)]
        let others = (7...19).filter { b in b != 10 && (a != 11 || b > 10) && (b != 11 || a > 10) }
        let b = others[chance.number(in: 0...others.count - 1)]
        guard level > 2 else {
            (text, result) = ("\(a) × \(b)", a * b)
            return
        }
        let c = chance.number(in: 2...9)
        let adds = chance.number(in: 0...1) == 0
        (text, result) = adds ? ("\(a) × \(b) + \(c)", a * b + c) : ("\(a) × \(b) − \(c)", a * b - c)
    }

    /// Returns the text of a sum of this level, always the same one.
    package static func example(level: Int) -> String {
        var chance = SeededGenerator(seed: 0)
        return Sum(level: level, number: 0, chance: &chance).text
    }

    /// An addition whose units carry, or a subtraction whose units borrow.
    private static func withCarry(_ chance: inout SeededGenerator) -> (text: String, result: Int) {
        if chance.number(in: 0...1) == 0 {
            let unit = chance.number(in: 2...9)
            let (a, b) = (chance.number(in: 1...8) * 10 + unit, chance.number(in: 1...8) * 10)
            let carried = b + chance.number(in: 10 - unit...9)
            return ("\(a) + \(carried)", a + carried)
        }
        let unit = chance.number(in: 0...8)
        let tens = chance.number(in: 3...9)
        let (a, b) = (tens * 10 + unit, chance.number(in: 1...tens - 1) * 10 + chance.number(in: unit + 1...9))
        return ("\(a) − \(b)", a - b)
    }
}

package struct Sums: Sendable {
    /// Progress that was recorded before the challenge began.
    package struct PriorProgress: Hashable, Sendable {
        var solvedCount: Int
        var lockMilliseconds: Int

        package init(solvedCount: Int = 0, lockMilliseconds: Int = 0) {
            (self.solvedCount, self.lockMilliseconds) = (solvedCount, lockMilliseconds)
        }
    }

    package let level: Int
    let limitMilliseconds: Int
    let count: Int
    private(set) var solvedCount: Int
    private(set) var sum: Sum
    /// The sum before, if it was solved or its time ran out, and when: another answer to it is late, not wrong.
    package private(set) var previous: (sum: Sum, uptime: Int)?
    private var chance: SeededGenerator
    package private(set) var askedUptime: Int
    package private(set) var wrongInARow = 0
    package private(set) var lockedUntilUptime: Int

    private static let wrongMax = 3
    package static let lockMilliseconds = 30_000
    /// The time after a sum in which an answer to it counts as late. Typing takes no longer.
    private static let lateMilliseconds = 10_000

    init(
        level: Int, count: Int, limitSeconds: Int, chance: SeededGenerator, uptime: Int, before: PriorProgress = .init()
    ) {
        self.level = level
        self.limitMilliseconds = limitSeconds * 1000
        self.count = count
        solvedCount = min(before.solvedCount, count - 1)
        var chance = chance
        sum = Sum(level: level, number: 1, chance: &chance)
        self.chance = chance
        askedUptime = uptime
        lockedUntilUptime = uptime + before.lockMilliseconds
    }

    /// The number of sums left, including the current one.
    package var left: Int { count - solvedCount }

    /// The deadline of the current sum, or the later end of the lock-out.
    var nextUptime: Int { max(askedUptime + limitMilliseconds, lockedUntilUptime) }

    /// Replaces the current sum if its time is over. Returns whether it was replaced.
    mutating func update(uptime: Int) -> Bool {
        guard uptime >= nextUptime else { return false }
        previous = (sum, uptime)
        ask(uptime: uptime)
        return true
    }

    /// Returns the milliseconds until an answer is accepted.
    func lockMilliseconds(uptime: Int) -> Int { max(0, lockedUntilUptime - uptime) }

    /// Checks an answer to the sum with this number, or to the current one if there is no number.
    mutating func answer(_ result: Int, to number: Int?, uptime: Int) -> Progress {
        if uptime < lockedUntilUptime { return .lockedOut(lockedUntilUptime - uptime, isNew: false) }
        if let number, number < sum.number { return .late }
        guard result == sum.result else {
            if let previous, result == previous.sum.result, uptime - previous.uptime < Sums.lateMilliseconds {
                return .late
            }
            wrongInARow += 1
            guard wrongInARow == Sums.wrongMax else { return .wrong }
            wrongInARow = 0
            lockedUntilUptime = uptime + Sums.lockMilliseconds
            ask(uptime: uptime)
            return .lockedOut(Sums.lockMilliseconds, isNew: true)
        }
        wrongInARow = 0
        solvedCount += 1
        guard left > 0 else { return .done }
        previous = (sum, uptime)
        ask(uptime: uptime)
        return .further
    }

    private mutating func ask(uptime: Int) {
        sum = Sum(level: level, number: sum.number + 1, chance: &chance)
        askedUptime = uptime
    }
}
