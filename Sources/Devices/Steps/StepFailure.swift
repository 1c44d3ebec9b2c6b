// Why no steps can be felt.

import Glibc

/// What keeps a step sensor from telling steps.
public enum StepFailure: Error, Hashable, Sendable {
    /// The line of a mat, a beam or a motion detector cannot be used.
    case line(LineFailure)
    /// The kernel knows no step counter.
    case noCounter
    /// The configured step counter is not there; `known` are.
    case missing(wanted: String, known: [String])
    /// The system does not let this user switch it on.
    case noAccess(name: String)
    /// The system says no to something else, in its own number.
    case system(name: String, doing: String, errorNumber: Int32)
}

extension StepFailure: CustomStringConvertible {
    /// One line for the owner.
    public var description: String {
        switch self {
        case .line(let failure): "\(failure)"
        case .noCounter: "no step counter is there: it is not plugged in, or this machine's kernel has no driver for it"
        case .missing(let wanted, let known):
            "the step counter \"\(wanted)\" is not there, only \(known.joined(separator: ", "))"
        case .noAccess(let name):
            "the step counter \(name) may not be switched on: the udev rule for it is not installed, or has not acted yet: "
                + "'sudo udevadm trigger --subsystem-match=iio' has it act"
        case .system(let name, let doing, let number):
            "the step counter \(name): cannot \(doing): \(String(cString: strerror(number)))"
        }
    }
}
