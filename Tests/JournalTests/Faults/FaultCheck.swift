// The check that fails every operation of a history in turn and verifies the journal's promises.

import Journal
import SimulatedDevices

/// Runs histories on disks that fail.
struct FaultCheck {
    var kinds = DiskFault.Kind.allCases
    var cuts = Cuts.inOrder
    /// The number of instants after a failure at which the power is cut. Later states are as without it.
    var instantsMax = 8
    var wrap: (SimulatedDisk) -> any Disk = { $0 }
    /// The number of runs in which a fault occurred.
    private(set) var faultCount = 0
    /// The number of different disk states that were recovered.
    private(set) var stateCount = 0

    /// Fails the first operation, then the second, and so on until the history ends without a failure.
    mutating func run(_ history: History) throws(BrokenPromise) {
        for kind in kinds {
            for count in counts {
                var fault = DiskFault(kind, after: 0, count: count)
                while try hasFailed(history, [fault]) { fault.after += 1 }
            }
        }
    }

    /// Fails each operation, and another one while the journal handles the first failure or soon after.
    ///
    /// - Parameter gaps: the numbers of successful operations in between.
    mutating func runTwice(_ history: History, gaps: StrideTo<Int>) throws(BrokenPromise) {
        for kind in kinds {
            for gap in gaps {
                var first = DiskFault(kind, after: 0, count: 1)
                while try hasFailed(history, [first, DiskFault(kind, after: gap, count: 1)]) { first.after += 1 }
            }
        }
    }

    /// The numbers of failing operations: one; enough for a refusal, with a recovery; all. Three failed
    /// reads make the journal report damage, which no promise covers.
    private let counts = [1, 4, .max]

    private mutating func hasFailed(_ history: History, _ faults: [DiskFault]) throws(BrokenPromise) -> Bool {
        let check = CrashCheck(cuts: cuts, wrap: wrap)
        do throws(BrokenPromise) {
            let disk = try check.run(history, faults: faults, instantsMax: instantsMax)
            stateCount += check.stateCount
            faultCount += disk.hasFailed ? 1 : 0
            return disk.hasFailed
        } catch {
            throw BrokenPromise(description: "\(faults.map { "\($0)" }.joined(separator: ", then ")): \(error)")
        }
    }
}
