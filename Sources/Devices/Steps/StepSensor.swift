// The reports and failures of a step sensor, and the steps of a step counter.

import Glibc

package enum StepReport: Hashable, Sendable {
    /// The sensor can be read from now on. If it is active at this time, it may be stuck: that is not a
    /// step.
    case ready(isActive: Bool)
    /// A person stepped on the sensor, or passed it, at this uptime in milliseconds.
    case step(uptime: Int)
    /// The sensor cannot be read. The driver keeps trying until it is ordered off.
    case failed(StepFailure)
    /// A sentence about wiring with which the sensor may not work.
    case warning(String)
}

package enum StepFailure: Error, Hashable, Sendable {
    /// The GPIO line of a mat, a beam or a motion detector cannot be used.
    case line(LineFailure)
    case noCounter
    /// The configured step counter is missing. `known` lists those that exist.
    case missing(wanted: String, known: [String])
    /// The system does not let this user enable the step counter.
    case noAccess(name: String)
    /// Another system call failed with this error number.
    case system(name: String, doing: String, errorNumber: Int32)
}

extension StepFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .line(let failure): "\(failure)"
        case .noCounter: "no step counter is plugged in, or the kernel has no driver for it"
        case .missing(let wanted, let known):
            "the step counter \"\(wanted)\" is not plugged in (there is only \(known.joined(separator: ", ")))"
        case .noAccess(let name):
            "no permission to switch on the step counter \(name) (install Rooster's udev rule, then plug the counter "
                + "in again or restart the machine)"
        case .system(let name, let doing, let number):
            "the step counter \(name) does not work (cannot \(doing): \(String(cString: strerror(number))))"
        }
    }
}

/// Turns readings of a step counter into steps. A counter reports only their number, so each step gets the
/// earliest possible time. If the counter is read late, no step of a walk is lost, and no step follows
/// another faster than a person walks.
package struct CountedSteps: Hashable, Sendable {
    private var count: Int
    /// The earliest possible time of the next step.
    private var earliestUptime: Int
    private var readUptime: Int

    /// The least time between two steps. The engine counts sooner ones as the same step.
    static let apartMilliseconds = 250
    /// Counters hold back the first steps until they are sure that it is a walk.
    static let belatedMilliseconds = 5000

    /// The first reading of a counter is its baseline: steps that it counted before are not reported.
    package init(count: Int32, uptime: Int) {
        (self.count, earliestUptime, readUptime) = (Int(count), uptime, uptime)
    }

    /// Returns the times of the steps since the last reading. Returns none if the count went back, because
    /// the counter was reset, or if it rose faster than a person walks, because it is faulty.
    package mutating func read(_ count: Int32, uptime: Int) -> [Int] {
        let added = Int(count) - self.count
        let first = max(earliestUptime, readUptime - CountedSteps.belatedMilliseconds)
        (self.count, readUptime) = (Int(count), uptime)
        guard added > 0 else { return [] }
        guard first + (added - 1) * CountedSteps.apartMilliseconds <= uptime else {
            earliestUptime = uptime
            return []
        }
        earliestUptime = first + added * CountedSteps.apartMilliseconds
        return (0..<added).map { first + $0 * CountedSteps.apartMilliseconds }
    }
}
