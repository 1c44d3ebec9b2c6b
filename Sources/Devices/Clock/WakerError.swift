// Why a machine will not wake by itself.

import Glibc

/// What is wrong with the clock that is to wake the machine.
public enum WakerError: Error, Hashable, Sendable {
    /// The machine has no clock that could.
    case none
    /// The system says no, in its own number. Some clocks cannot wait longer than a day.
    case system(path: String, errorNumber: Int32)
}

extension WakerError: CustomStringConvertible {
    /// One line for the owner.
    public var description: String {
        switch self {
        case .none: "this machine has no clock that could wake it"
        case .system(let path, let number):
            "the machine will not wake from sleep, because \(path) says: \(String(cString: strerror(number)))"
        }
    }
}
