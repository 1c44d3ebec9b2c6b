// The check that cuts the power at every instant of a history and verifies the journal's promises.

import SimulatedDevices

@testable import Journal

/// Runs histories on disks whose power is cut.
final class CrashCheck {
    /// The number of different disk states that were recovered.
    private(set) var stateCount = 0
    private let cuts: Cuts
    /// The cuts within a recovery, or nil if recoveries are not cut.
    private let cutsInRecovery: Cuts?
    /// Wraps the disk, to plant defects between the journal and its disk.
    private let wrap: (SimulatedDisk) -> any Disk
    /// The damaged journal on the disk at the start, or nil for an empty disk.
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

    /// Runs a history, and cuts the power at every instant at which that makes a difference.
    ///
    /// - Parameter instantsMax: with faults, the number of cuts after each of the first two failures.
    func run(
        _ history: History, faults: [DiskFault] = [], instantsMax: Int = .max
    ) throws(BrokenPromise) -> SimulatedDisk {
        let disk = SimulatedDisk(start?.image ?? DiskImage())
        let owner = owner(of: disk, try Promises(findingAgain: start?.image))
        var seen: Set<DiskImage> = []
        var (failures, instantsLeft) = (0, instantsMax)
        disk.afterChange = { [unowned disk, unowned owner] in
            // Until the first failure, the states are those of the run without faults.
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
        // A journal that refused writes must continue when the disk works again.
        let last = NewRecord(RecordKind(rawValue: 9), millisecondsSince1970: 9, payload: Array("the last".utf8))
        for step in [.append([[last]]), .restart, .append([[last]])] as [Step] {
            seen = []
            try owner.take(step, mustSucceed: true)
            if let broken { throw BrokenPromise(description: "\(history.name), in the end: \(broken)") }
        }
        return disk
    }

    /// Recovers from each tried cut at this instant, once per state and set of promises.
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

    /// Recovers from the state after a cut, and cuts the power during that recovery.
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

        // A second recovery must find the same records and have nothing to repair.
        let second = SimulatedDisk(recovered)
        let secondOwner = self.owner(of: second, owner.promises)
        try secondOwner.take(.restart, mustSucceed: true)
        guard secondOwner.report?.tornTail == nil, second.imageAfterWorstCut == recovered else {
            throw BrokenPromise(description: "a recovered journal was recovered once more")
        }

        // A new record must join the recovered ones, and no other record may reappear.
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

/// A damaged directory. Each start must report the damage until the evidence is set aside for a person.
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

/// The journal's owner, which remembers each promise of the journal.
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

    /// Performs a step. The journal may refuse it only after the disk has failed.
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

    /// Returns the journal. Opens it first after a restart or a failed attempt to open it.
    private func opened() throws(JournalError) -> Journal {
        if let journal { return journal }
        let opened = try Journal.open(wrap(disk), chunkBytes: CrashCheck.chunkBytes)
        journal = opened.journal
        report = opened.report
        note { () throws(BrokenPromise) in
            try promises.found(opened.records, canWrite: opened.report.cannotWrite == nil)
        }
        note { () throws(BrokenPromise) in try check(opened.report) }
        return opened.journal
    }

    private func check(_ report: RecoveryReport) throws(BrokenPromise) {
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

    private func note(_ check: () throws(BrokenPromise) -> Void) {
        do throws(BrokenPromise) { try check() } catch { broken = broken ?? error }
    }
}
