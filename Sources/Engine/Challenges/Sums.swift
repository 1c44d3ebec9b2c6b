// Sums to solve.

import JSON

/// One sum.
public struct Sum: Hashable, Sendable {
    /// As it is shown: `7 × 12 + 5`.
    public let text: String
    /// Which of those that were asked in a row: an answer can say that it is to this one.
    public let number: Int
    let result: Int

    /// A sum of a level: 1 adds or takes away two-digit numbers with a carry, 2 multiplies up to 12 × 19, 3 does both. None is
    /// read off: nothing is multiplied by ten, and only what is above it by eleven.
    init(level: Int, number: Int, chance: inout Chance) {
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

    /// The units come to ten or more, or have to borrow.
    private static func withCarry(_ chance: inout Chance) -> (text: String, result: Int) {
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

/// A number of sums, one after the other.
struct Sums: Sendable {
    /// What was done before the attempt began, as the records have it.
    struct Before: Hashable, Sendable {
        var solvedCount = 0
        var lockMilliseconds = 0
    }

    private let level: Int
    private let limitMilliseconds: Int
    private let count: Int
    private(set) var solvedCount: Int
    private(set) var sum: Sum
    /// The sum whose time ran out last, and when: an answer to it is late, not wrong.
    private var timedOut: (sum: Sum, uptime: Int)?
    private var chance: Chance
    private var askedUptime: Int
    private var wrongInARow = 0
    private var lockedUntilUptime: Int

    private static let wrongMax = 3
    static let lockMilliseconds = 30_000
    /// An answer to a sum takes no longer to type than this.
    private static let lateMilliseconds = 10_000

    init(level: Int, count: Int, limitSeconds: Int, chance: Chance, uptime: Int, before: Before = Before()) {
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

    /// How many are to be solved, the one that is asked included.
    var left: Int { count - solvedCount }

    /// When something changes by itself: another sum is asked, or answers are taken again.
    var nextUptime: Int { max(askedUptime + limitMilliseconds, lockedUntilUptime) }

    /// Asks another sum where the time for this one is over. Answers whether it did.
    mutating func update(uptime: Int) -> Bool {
        guard uptime >= nextUptime else { return false }
        timedOut = (sum, uptime)
        ask(uptime: uptime)
        return true
    }

    /// How many milliseconds no answer is taken for.
    func lockMilliseconds(uptime: Int) -> Int { max(0, lockedUntilUptime - uptime) }

    /// This is the answer to the sum of that number; to the one that is asked, where none is named.
    mutating func answer(_ result: Int, to number: Int?, uptime: Int) -> Progress {
        if uptime < lockedUntilUptime { return .lockedOut(lockedUntilUptime - uptime) }
        if let number, number < sum.number { return .late }
        guard result == sum.result else {
            if let timedOut, result == timedOut.sum.result, uptime - timedOut.uptime < Sums.lateMilliseconds {
                self.timedOut = nil
                return .late
            }
            wrongInARow += 1
            guard wrongInARow == Sums.wrongMax else { return .wrong }
            wrongInARow = 0
            lockedUntilUptime = uptime + Sums.lockMilliseconds
            ask(uptime: uptime)
            return .lockedOut(Sums.lockMilliseconds)
        }
        wrongInARow = 0
        solvedCount += 1
        guard left > 0 else { return .done }
        ask(uptime: uptime)
        return .further
    }

    /// What tells them apart from others: see `Engine.stateKey`.
    func combineState(into hasher: inout Hasher) {
        hasher.combine([level, left, wrongInARow])
        hasher.combine(timedOut == nil)
        hasher.combine(lockedUntilUptime > askedUptime)
    }

    private mutating func ask(uptime: Int) {
        sum = Sum(level: level, number: sum.number + 1, chance: &chance)
        askedUptime = uptime
    }
}
