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
            for count in counts(of: kind) {
                var fault = DiskFault(kind, after: 0, count: count)
                while try hasFailed(history, fault) { fault.after += 1 }
            }
        }
    }

    /// How many operations fail: one; so many that something is refused, after which it goes on; all that come. What cannot
    /// be read several times is taken for damaged, which is no matter of promises.
    private func counts(of kind: DiskFault.Kind) -> [Int] {
        kind == .broken ? [1, .max] : [1, 4, .max]
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
