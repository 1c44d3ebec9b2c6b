// Makes every operation of a history fail in turn, and holds the journal to its promises.

import Journal
import SimulatedDevices

/// Runs histories on disks that fail.
struct FaultCheck {
    var kinds = DiskFault.Kind.allCases
    var cuts = Cuts(partsMax: 1, tearBytes: nil, drawn: 0)
    var wrap: (SimulatedDisk) -> any Disk = { $0 }
    /// How many operations were made to fail.
    private(set) var faultCount = 0
    /// How many different states of the disk were recovered from.
    private(set) var stateCount = 0

    /// Lets the first operation that can fail do so, then the second, and so on until the history ends unharmed.
    mutating func run(_ history: History) throws(BrokenPromise) {
        for kind in kinds {
            for isLasting in [false, true] {
                var fault = DiskFault(kind, after: 0, isLasting: isLasting)
                while try hasFailed(history, fault) { fault.after += 1 }
            }
        }
    }

    private mutating func hasFailed(_ history: History, _ fault: DiskFault) throws(BrokenPromise) -> Bool {
        let check = CrashCheck(cuts: cuts, wrap: wrap)
        do throws(BrokenPromise) {
            let disk = try check.run(history, fault: fault)
            stateCount += check.stateCount
            faultCount += disk.hasFailed ? 1 : 0
            return disk.hasFailed
        } catch {
            throw BrokenPromise(description: "\(fault): \(error)")
        }
    }
}
