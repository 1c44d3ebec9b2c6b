// The real journal on a simulated disk, which is slow, fails and loses its power.

import Challenges
import Engine
import Journal
import Records
import SimulatedDevices

/// The journal of a simulated machine. Each job takes time, in which other events can happen.
struct SimulatedStore {
    enum Job {
        case append([Entry], [NewRecord], number: Int)
        case compact([NewRecord])
    }

    enum JobOutcome {
        case committed([Entry], number: Int)
        case commitFailed(number: Int, String)
        case compacted
    }

    var latencyMilliseconds = SimulatedStore.quickMilliseconds
    /// True if the disk refused writes when it was opened: the next power cut may lose its entries.
    private(set) var isUnsure = false
    private var disk = SimulatedDisk()
    private var journal: Journal?
    /// The job queue. The first job is under way.
    private var jobs: [(job: Job, doneAt: Int)] = []

    static let quickMilliseconds = 8
    private static let chunkBytes = 4096

    var doneAt: Int? { jobs.first?.doneAt }

    var compactionPays: Bool { jobs.isEmpty && journal?.compactionPays ?? false }

    /// Opens the journal. Returns its entries, or nil if it cannot be opened.
    mutating func open() -> [Entry]? {
        jobs = []
        do throws(JournalError) {
            let opened = try Journal.open(disk, chunkBytes: SimulatedStore.chunkBytes)
            journal = opened.journal
            isUnsure = opened.report.cannotWrite != nil
            return opened.records.compactMap { record in
                Fact(kind: record.kind.rawValue, payload: record.payload).map {
                    Entry(millisecondsSince1970: Int(record.millisecondsSince1970), $0)
                }
            }
        } catch {
            return nil
        }
    }

    mutating func add(_ job: Job, at now: Int) {
        jobs.append((job, max(now, jobs.last?.doneAt ?? now) + latencyMilliseconds))
    }

    /// Finishes the first job. If a compaction fails, returns nil: the records stay as they were.
    mutating func finish() -> JobOutcome? {
        guard !jobs.isEmpty else { return nil }
        let job = jobs.removeFirst().job
        do throws(JournalError) {
            try perform(job)
            return if case .append(let entries, _, let number) = job { .committed(entries, number: number) } else {
                .compacted
            }
        } catch {
            return if case .append(_, _, let number) = job { .commitFailed(number: number, "\(error)") } else { nil }
        }
    }

    private func perform(_ job: Job) throws(JournalError) {
        switch job {
        case .append(_, let records, _): try journal?.append(records)
        case .compact(let records): try journal?.compact(to: records)
        }
    }

    private func performWithoutReply(_ jobs: some Sequence<Job>) {
        do throws(JournalError) {
            for job in jobs { try perform(job) }
        } catch {
            // The service has ended, so the next start finds the result.
        }
    }

    mutating func fail(_ fault: DiskFault?) { disk.faults = fault.map { [$0] } ?? [] }

    /// Crashes the service. The kernel gets a random number of its jobs.
    mutating func crash(_ chance: inout SeededGenerator) {
        let count = jobs.isEmpty ? 0 : chance.number(in: 0...jobs.count)
        performWithoutReply(jobs.prefix(count).map(\.job))
        (journal, jobs) = (nil, [])
    }

    /// Cuts the power in the middle of the jobs. The disk keeps a random part of the unsynced writes.
    mutating func cutPower(_ chance: inout SeededGenerator) {
        var drawing = chance
        var images = [disk.image(afterCut: drawing.fates(disk))]
        if !jobs.isEmpty {
            disk.afterChange = { [unowned disk] in images.append(disk.image(afterCut: drawing.fates(disk))) }
            performWithoutReply(jobs.map(\.job))
            disk.afterChange = nil
        }
        chance = drawing
        let image = images[chance.number(in: 0...images.count - 1)]
        (journal, jobs) = (nil, [])
        let faults = disk.faults
        disk = SimulatedDisk(image)
        // A disk's faults outlive the power cut.
        disk.faults = faults
    }
}

extension SeededGenerator {
    fileprivate mutating func fates(_ disk: SimulatedDisk) -> [PartFate] {
        disk.unsyncedParts.map { part in
            switch number(in: 0...3) {
            case 0: .dropped
            case 1 where part.byteCount > 1: .torn(byteCount: number(in: 1...part.byteCount - 1))
            default: .kept
            }
        }
    }
}
