// Cuts the power at every instant of a history, in many ways, and holds the journal to its promises.

import SimulatedDevices

@testable import Journal

/// Runs histories on disks that are cut off.
final class CrashCheck {
    /// How many different states of the disk were recovered from.
    private(set) var stateCount = 0
    private let cuts: Cuts
    /// The cuts tried within a recovery; nothing when recoveries are not cut.
    private let cutsInRecovery: Cuts?
    /// What stands between the journal and its disk: planted defects.
    private let wrap: (SimulatedDisk) -> any Disk
    /// What the disk held before.
    private let start: DamagedJournal?
    private var broken: BrokenPromise?

    static let chunkBytes = 1024

    init(
        cuts: Cuts, inRecovery: Cuts? = nil, damaged start: DamagedJournal? = nil,
        wrap: @escaping (SimulatedDisk) -> any Disk = { $0 }
    ) {
        self.cuts = cuts
        self.start = start
        cutsInRecovery = inRecovery
        self.wrap = wrap
    }

    /// Runs a history, and cuts it at every instant at which that makes a difference.
    ///
    /// - Parameter instantsMax: where there are faults, cuts are tried at so many instants after each of the first two failures.
    func run(
        _ history: History, faults: [DiskFault] = [], instantsMax: Int = .max
    ) throws(BrokenPromise) -> SimulatedDisk {
        let disk = SimulatedDisk(start?.image ?? DiskImage())
        let owner = owner(of: disk, try Promises(findingAgain: start?.image))
        var seen: Set<DiskImage> = []
        var (failures, instantsLeft) = (0, instantsMax)
        disk.afterChange = { [unowned disk, unowned owner] in
            // Until something fails, all is as in the run without a fault.
            if disk.failureCount > failures, failures < 2 {
                (failures, instantsLeft) = (disk.failureCount, instantsMax)
            }
            guard faults.isEmpty || disk.hasFailed, instantsLeft > 0 else { return }
            instantsLeft -= 1
            self.checkEachCut(of: disk, self.cuts, owner.promises, &seen, inRecovery: self.cutsInRecovery)
        }
        disk.faults = faults
        defer { disk.afterChange = nil }
        for step in [.restart] + history.steps {
            seen = []
            try owner.take(step)
            if let broken { throw BrokenPromise(description: "\(history.name): \(broken)") }
        }
        disk.faults = []
        // A journal that was refused for a while goes on when the disk does.
        let last = NewRecord(RecordKind(rawValue: 9), millisecondsSince1970: 9, payload: Array("the last".utf8))
        for step in [.append([[last]]), .restart, .append([[last]])] as [Step] {
            seen = []
            try owner.take(step, mustSucceed: true)
            if let broken { throw BrokenPromise(description: "\(history.name), in the end: \(broken)") }
        }
        return disk
    }

    /// Recovers from every cut that is tried of this instant, but from no state twice while the promises are the same.
    private func checkEachCut(
        of disk: SimulatedDisk, _ cuts: Cuts, _ promises: Promises, _ seen: inout Set<DiskImage>, inRecovery: Cuts?
    ) {
        for fates in cuts.fates(disk.unsyncedParts) where broken == nil {
            let image = disk.image(afterCut: fates)
            guard seen.insert(image).inserted else { continue }
            do throws(BrokenPromise) {
                try check(image, promises, inRecovery: inRecovery)
            } catch {
                broken = broken ?? error
            }
        }
    }

    /// Recovers from what a cut left behind, and cuts that in turn.
    private func check(_ image: DiskImage, _ promises: Promises, inRecovery: Cuts?) throws(BrokenPromise) {
        stateCount += 1
        let disk = SimulatedDisk(image)
        if let inRecovery {
            var seen: Set<DiskImage> = []
            disk.afterChange = { [unowned disk] in
                self.checkEachCut(of: disk, inRecovery, promises, &seen, inRecovery: nil)
            }
        }
        let owner = owner(of: disk, promises)
        try owner.take(.restart, mustSucceed: true)
        disk.afterChange = nil
        let recovered = disk.imageAfterWorstCut

        // What was found must be found again, and nothing is left to be done about it.
        let second = SimulatedDisk(recovered)
        let secondOwner = self.owner(of: second, owner.promises)
        try secondOwner.take(.restart, mustSucceed: true)
        guard secondOwner.report?.tornTail == nil, second.imageAfterWorstCut == recovered else {
            throw BrokenPromise(description: "a recovered journal was recovered once more")
        }

        // What is appended now joins what was found, and nothing else comes back to life.
        let next = NewRecord(
            RecordKind(rawValue: 8), millisecondsSince1970: 8, payload: [UInt8](repeating: 8, count: 56))
        try owner.take(.append([[next]]), mustSucceed: true)
        let third = self.owner(of: SimulatedDisk(disk.imageAfterWorstCut), owner.promises)
        try third.take(.restart, mustSucceed: true)
    }

    private func owner(of disk: SimulatedDisk, _ promises: Promises) -> Owner {
        Owner(of: disk, promises, start: start, wrap: wrap)
    }
}

/// A directory with damage in it, which must be said at every start until what shows it is kept for a person.
struct DamagedJournal {
    var image: DiskImage
    var kept: [SegmentName]
}

extension RecoveryReport {
    fileprivate func speaks(of kept: SegmentName) -> Bool {
        let segment = SegmentName.segment(kept.number).text
        if case .tail = kept { return setAside.contains { $0.hasSuffix(".tail") } || tornTail?.file == segment }
        return setAside.contains(kept.text) || damage.contains { $0.file == segment }
    }
}

/// Whoever has the journal, and remembers what it promised.
private final class Owner {
    private(set) var promises: Promises
    private(set) var report: RecoveryReport?
    private let disk: SimulatedDisk
    private let start: DamagedJournal?
    private let wrap: (SimulatedDisk) -> any Disk
    private var journal: Journal?
    private var broken: BrokenPromise?

    init(
        of disk: SimulatedDisk, _ promises: Promises, start: DamagedJournal?,
        wrap: @escaping (SimulatedDisk) -> any Disk
    ) {
        self.disk = disk
        self.promises = promises
        self.start = start
        self.wrap = wrap
    }

    /// Does something, which may be refused only after the disk has failed.
    func take(_ step: Step, mustSucceed: Bool = false) throws(BrokenPromise) {
        do throws(JournalError) {
            switch step {
            case .restart:
                journal = nil
                _ = try opened()
            case .append(let appends):
                let journal = try opened()
                promises.ask(step)
                acknowledge(try journal.append(together: appends))
            case .compact(let snapshot):
                let journal = try opened()
                promises.ask(step)
                acknowledge(try journal.compact(to: snapshot))
            }
        } catch {
            if mustSucceed || !disk.hasFailed { throw BrokenPromise(description: "refused: \(error)") }
        }
        if let broken { throw broken }
    }

    /// The journal; after a restart, and after it could not be opened, it is opened first.
    private func opened() throws(JournalError) -> Journal {
        if let journal { return journal }
        let opened = try Journal.open(wrap(disk), chunkBytes: CrashCheck.chunkBytes)
        journal = opened.journal
        report = opened.report
        note { () throws(BrokenPromise) in
            try promises.found(opened.records, canWrite: opened.report.cannotWrite == nil)
        }
        note { () throws(BrokenPromise) in try judge(opened.report) }
        return opened.journal
    }

    private func judge(_ report: RecoveryReport) throws(BrokenPromise) {
        if let start {
            for kept in start.kept where !report.speaks(of: kept) {
                throw BrokenPromise(description: "nothing is said any more of what should be kept as \(kept.text)")
            }
        } else if let damage = report.damage.first {
            throw BrokenPromise(description: "called damaged: \(damage)")
        }
    }

    private func acknowledge(_ records: [Record]) {
        note { () throws(BrokenPromise) in try promises.acknowledge(records) }
    }

    private func note(_ judgement: () throws(BrokenPromise) -> Void) {
        do throws(BrokenPromise) { try judgement() } catch { broken = broken ?? error }
    }
}
