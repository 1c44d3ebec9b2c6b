// What a keypad tells, how it fails, and the number that is being typed.

import Glibc

package enum KeypadReport: Hashable, Sendable {
    /// It is listened to, under the name by which its owner knows it.
    case ready(name: String)
    /// A number was typed, and Enter behind it.
    case number(Int)
    /// Nothing can be typed, or not on this one, and why. It is tried again until it is ordered off.
    case failed(KeypadFailure)
}

package enum KeypadFailure: Error, Hashable, Sendable {
    /// Nothing with the keys for a number is plugged in.
    case none
    /// The configured keypad is not there; others may be.
    case missing(wanted: String)
    /// The system refuses to open it; `group` may.
    case noAccess(node: String, group: String?)
    /// Another program keeps its keys to itself.
    case busy(name: String)
    case unplugged(name: String)
    /// The system says no to something else, in its own number.
    case system(doing: String, errorNumber: Int32)
}

extension KeypadFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no keypad is plugged in"
        case .missing(let wanted): "the keypad \"\(wanted)\" is not plugged in"
        case .noAccess(let node, let group):
            "\(node) may not be opened\(group.map { ": it is the group \($0)'s" } ?? "")"
        case .busy(let name): "another program keeps the keys of \(name) to itself"
        case .unplugged(let name): "\(name) was unplugged"
        case .system(let doing, let number): "cannot \(doing): \(String(cString: strerror(number)))"
        }
    }
}

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
    /// A number that is unfinished for so long is dropped.
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
