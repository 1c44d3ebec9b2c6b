// Makes every operation of a history fail in turn, and holds the journal to its promises.

import Journal
import SimulatedDevices

/// Runs histories on disks that fail.
struct FaultCheck {
    var kinds = DiskFault.Kind.allCases
    var cuts = Cuts.inOrder
    /// Cuts are tried at so many instants after a failure; later on everything is as without it.
    var instantsMax = 8
    var wrap: (SimulatedDisk) -> any Disk = { $0 }
    /// How many times an operation was made to fail, or two were.
    private(set) var faultCount = 0
    /// How many different states of the disk were recovered from.
    private(set) var stateCount = 0

    /// Lets the first operation that can fail do so, then the second, and so on until the history ends unharmed.
    mutating func run(_ history: History) throws(BrokenPromise) {
        for kind in kinds {
            for count in counts {
                var fault = DiskFault(kind, after: 0, count: count)
                while try hasFailed(history, [fault]) { fault.after += 1 }
            }
        }
    }

    /// Lets each operation fail, and one more while the journal is still busy with that, or soon after.
    ///
    /// - Parameter gaps: how many operations succeed in between.
    mutating func runTwice(_ history: History, gaps: StrideTo<Int>) throws(BrokenPromise) {
        for kind in kinds {
            for gap in gaps {
                var first = DiskFault(kind, after: 0, count: 1)
                while try hasFailed(history, [first, DiskFault(kind, after: gap, count: 1)]) { first.after += 1 }
            }
        }
    }

    /// How many operations fail: one; so many that something is refused, after which it goes on; all that come. What is
    /// never read is taken for damaged, which is no matter of promises: it is read three times.
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
