// The clock that wakes a sleeping machine.

import Glibc

/// A clock with a battery that wakes the machine itself: without one, a machine that sleeps or is off stays so.
package protocol Waker: Sendable {
    /// Has the machine awake when the system's clock will show that time, in the place of any time before; nothing for
    /// never. It may be some seconds early. A time that is over needs no waking.
    func set(wallMilliseconds: Int?) throws(WakerError)
}

/// What is wrong with the clock that is to wake the machine.
package enum WakerError: Error, Hashable, Sendable {
    /// The machine has no clock that could.
    case none
    /// The system says no, in its own number. Some clocks cannot wait longer than a day.
    case system(path: String, errorNumber: Int32)
}

extension WakerError: CustomStringConvertible {
    /// One line for the owner.
    package var description: String {
        switch self {
        case .none: "this machine has no clock that could wake it"
        case .system(let path, let number):
            "the machine will not wake from sleep, because \(path) says: \(String(cString: strerror(number)))"
        }
    }
}
