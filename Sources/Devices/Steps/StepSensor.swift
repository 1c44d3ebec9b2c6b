// What a sensor of steps tells, and how it fails.

import Glibc

package enum StepReport: Hashable, Sendable {
    /// It can be read from now on. One that is active at first may be stuck: that is no step.
    case ready(isActive: Bool)
    /// Somebody stepped on it, or passed it, at that time in milliseconds since the machine was started.
    case step(uptime: Int)
    /// It cannot be read, and why. It is tried again until it is ordered off.
    case failed(StepFailure)
    /// It may not work as it is wired, in words.
    case warning(String)
}

package enum StepFailure: Error, Hashable, Sendable {
    /// The line of a mat, a beam or a motion detector cannot be used.
    case line(LineFailure)
    case noCounter
    /// The configured step counter is not there; `known` are.
    case missing(wanted: String, known: [String])
    /// The system does not let this user switch it on.
    case noAccess(name: String)
    /// The system says no to something else, in its own number.
    case system(name: String, doing: String, errorNumber: Int32)
}

extension StepFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .line(let failure): "\(failure)"
        case .noCounter: "no step counter is there: it is not plugged in, or this machine's kernel has no driver for it"
        case .missing(let wanted, let known):
            "the step counter \"\(wanted)\" is not there, only \(known.joined(separator: ", "))"
        case .noAccess(let name):
            "the step counter \(name) may not be switched on: the udev rule for it is not installed, or has not acted yet: "
                + "plug it in again, or start the machine again"
        case .system(let name, let doing, let number):
            "the step counter \(name): cannot \(doing): \(String(cString: strerror(number)))"
        }
    }
}

/// The steps that the readings of a step counter come to. A counter tells how many there were, and not when: each is dated as
/// early as it can have been taken, so no step of a walk is lost however late the counter is read, and none follows another
/// faster than anybody walks.
package struct CountedSteps: Hashable, Sendable {
    private var count: Int
    /// No further step can have been taken before.
    private var earliestUptime: Int
    private var readUptime: Int

    /// From one step to the next: the engine takes what comes sooner for the same step.
    static let apartMilliseconds = 250
    /// Counters tell the first steps of a walk only when they are sure that it is one.
    static let belatedMilliseconds = 5000

    /// The first reading of a counter is its baseline: steps that it counted before are not reported.
    package init(count: Int32, uptime: Int) {
        (self.count, earliestUptime, readUptime) = (Int(count), uptime, uptime)
    }

    /// The times of the steps since the last reading. None where the counter went back, for then it has begun anew; nor where it
    /// went farther than anybody can have walked, for then it has gone wrong.
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
