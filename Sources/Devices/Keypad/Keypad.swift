// The reports and failures of a keypad, and the number that is being typed.

import Glibc

package enum KeypadReport: Hashable, Sendable {
    /// The keypad is being read. `name` is shown to the owner.
    case ready(name: String)
    /// A key was pressed.
    case pressed
    /// A number was typed and confirmed with Enter.
    case number(Int)
    /// No keypad can be used, or not this one. The driver keeps trying until it is ordered off.
    case failed(KeypadFailure)
}

package enum KeypadFailure: Error, Hashable, Sendable {
    /// No plugged-in device has the keys for a number.
    case none
    /// The configured keypad is not plugged in, though others may be.
    case missing(wanted: String)
    /// The system refuses to open the node; members of `group` may.
    case noAccess(node: String, group: String?)
    /// Another program has grabbed the keypad.
    case busy(name: String)
    case unplugged(name: String)
    /// Another system call failed with this error number.
    case system(doing: String, errorNumber: Int32)
}

extension KeypadFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "no keypad is plugged in"
        case .missing(let wanted): "the keypad \"\(wanted)\" is not plugged in"
        case .noAccess(let node, let group):
            "no permission to open \(node) (it is \(reservation(for: group)))"
        case .busy(let name): "\(name) is in use by another program"
        case .unplugged(let name): "\(name) was unplugged"
        case .system(let doing, let number): "cannot \(doing): \(String(cString: strerror(number)))"
        }
    }
}

/// The digits typed so far, as a pocket calculator would show them.
package struct KeyedNumber: Hashable, Sendable {
    package enum Key: Hashable, Sendable {
        case digit(Int)
        case minus, backspace, enter
    }

    private var digits: [Int] = []
    private var isNegative = false
    private var uptime = Int.min

    /// No sum has a longer result. Further digits are ignored.
    package static let digitsMax = 6
    /// An unfinished number is dropped after this time without a key.
    package static let idleMilliseconds = 10_000

    package init() {}

    /// Handles a key. Returns the number if the key is Enter and there is one, otherwise nil.
    package mutating func press(_ key: Key, uptime: Int) -> Int? {
        if !isEmpty, uptime - self.uptime >= KeyedNumber.idleMilliseconds { clear() }
        self.uptime = uptime
        switch key {
        case .digit(let digit):
            if digits.count < KeyedNumber.digitsMax { digits.append(digit) }
        case .minus:
            // A minus behind a digit is a typing error.
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
