// What a keypad tells, and how it fails.

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
