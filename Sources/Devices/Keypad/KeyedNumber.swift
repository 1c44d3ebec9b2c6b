// A number that is being typed.

/// The digits so far, as a pocket calculator would show them.
package struct KeyedNumber: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        case digit(Int)
        case minus, backspace, enter
    }

    private var digits: [Int] = []
    private var isNegative = false
    private var uptime = Int.min

    /// No sum has a longer answer: what is typed beyond is left out.
    package static let digitsMax = 6
    /// What somebody has left unfinished for so long, he does not go on with.
    package static let idleMilliseconds = 10_000

    package init() {}

    /// A key was pressed at that time. Answers with the number if that was Enter, and there is one.
    package mutating func press(_ key: Key, uptime: Int) -> Int? {
        if !isEmpty, uptime - self.uptime >= KeyedNumber.idleMilliseconds { clear() }
        self.uptime = uptime
        switch key {
        case .digit(let digit):
            if digits.count < KeyedNumber.digitsMax { digits.append(digit) }
        case .minus:
            // A minus in a number is a slip of the finger.
            if digits.isEmpty { isNegative.toggle() }
        case .backspace:
            if digits.popLast() == nil { isNegative = false }
        case .enter:
            defer { clear() }
            guard !digits.isEmpty else { return nil }
            let number = digits.reduce(0) { 10 * $0 + $1 }
            return isNegative ? -number : number
        }
        return nil
    }

    package mutating func clear() { (digits, isNegative) = ([], false) }

    private var isEmpty: Bool { digits.isEmpty && !isNegative }
}
