// Sums to solve.

/// One sum.
public struct Sum: Hashable, Sendable {
    /// As it is shown: `7 × 12 + 5`.
    public let text: String
    let result: Int

    /// A sum of a level: 1 adds or takes away two-digit numbers, 2 multiplies up to 12 × 19, 3 does both.
    init(level: Int, chance: inout Chance) {
        switch level {
        case ...1:
            let (a, b) = (chance.number(in: 10...99), chance.number(in: 10...99))
            if chance.number(in: 0...1) == 0 {
                (text, result) = ("\(a) + \(b)", a + b)
            } else {
                (text, result) = ("\(max(a, b)) − \(min(a, b))", max(a, b) - min(a, b))
            }
        case 2:
            let (a, b) = (chance.number(in: 3...12), chance.number(in: 3...19))
            (text, result) = ("\(a) × \(b)", a * b)
        default:
            let (a, b, c) = (chance.number(in: 3...12), chance.number(in: 3...19), chance.number(in: 2...9))
            if chance.number(in: 0...1) == 0 {
                (text, result) = ("\(a) × \(b) + \(c)", a * b + c)
            } else {
                (text, result) = ("\(a) × \(b) − \(c)", a * b - c)
            }
        }
    }
}

/// A number of sums, one after the other.
struct Sums: Hashable, Sendable {
    private let level: Int
    private let limitMilliseconds: Int
    private(set) var left: Int
    private(set) var sum: Sum
    private var chance: Chance
    private var askedUptime: Int
    private var wrongInARow = 0
    private var lockedUntilUptime = 0

    private static let wrongMax = 3
    private static let lockMilliseconds = 30_000

    init(level: Int, count: Int, limitSeconds: Int, chance: Chance, uptime: Int) {
        self.level = level
        self.limitMilliseconds = limitSeconds * 1000
        left = count
        var chance = chance
        sum = Sum(level: level, chance: &chance)
        self.chance = chance
        askedUptime = uptime
    }

    /// When something changes by itself: another sum is asked, or answers are taken again.
    var nextUptime: Int { max(askedUptime + limitMilliseconds, lockedUntilUptime) }

    /// Asks another sum where the time for this one is over. Answers whether it did.
    mutating func look(uptime: Int) -> Bool {
        guard uptime >= nextUptime else { return false }
        ask(uptime: uptime)
        return true
    }

    /// How many milliseconds no answer is taken for.
    func lockMilliseconds(uptime: Int) -> Int { max(0, lockedUntilUptime - uptime) }

    mutating func answer(_ number: Int, uptime: Int) -> Progress {
        if uptime < lockedUntilUptime { return .lockedOut(lockedUntilUptime - uptime) }
        guard number == sum.result else {
            wrongInARow += 1
            guard wrongInARow == Sums.wrongMax else { return .wrong }
            wrongInARow = 0
            lockedUntilUptime = uptime + Sums.lockMilliseconds
            ask(uptime: uptime)
            return .lockedOut(Sums.lockMilliseconds)
        }
        wrongInARow = 0
        left -= 1
        guard left > 0 else { return .done }
        ask(uptime: uptime)
        return .further
    }

    private mutating func ask(uptime: Int) {
        sum = Sum(level: level, chance: &chance)
        askedUptime = uptime
    }
}
