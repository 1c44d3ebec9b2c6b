// The real journal on a disk that is slow, fails, and loses its power.

import Engine
import Journal
import Service
import SimulatedDevices

/// The journal of a simulated machine. Whatever it is to do takes its time; what happens meanwhile happens to it.
struct SimulatedStore {
    /// Something that the disk is to do.
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
    /// Whether the disk would not take anything when it was opened: what was found there may be lost with the power.
    private(set) var isUnsure = false
    private var disk = SimulatedDisk()
    private var journal: Journal?
    /// One after the other; the first is being done.
    private var jobs: [(job: Job, doneAt: Int)] = []
    /// What was read once, and what was written into a snapshot: the same again says the same.
    private var read: [NewRecord: Fact] = [:]
    private var written: [Fact: NewRecord] = [:]

    /// A disk that is well takes so long.
    static let quickMilliseconds = 8
    private static let chunkBytes = 4096

    /// When the disk is done with what it does now.
    var doneAt: Int? { jobs.first?.doneAt }

    /// Whether a snapshot should take the place of everything, and none is about to.
    var compactionPays: Bool { jobs.isEmpty && journal?.compactionPays ?? false }

    /// Opens the journal; nothing comes of one that cannot be opened.
    mutating func open() -> [Entry]? {
        jobs = []
        do throws(JournalError) {
            let opened = try Journal.open(disk, chunkBytes: SimulatedStore.chunkBytes)
            journal = opened.journal
            isUnsure = opened.report.cannotWrite != nil
            return opened.records.compactMap { entry($0) }
        } catch {
            return nil
        }
    }

    private mutating func entry(_ record: Record) -> Entry? {
        // When it was is no part of what it says.
        let content = NewRecord(record.kind, millisecondsSince1970: 0, payload: record.payload)
        let fact = read[content] ?? Fact(kind: record.kind.rawValue, payload: record.payload)
        read[content] = fact
        return fact.map { Entry(millisecondsSince1970: Int(record.millisecondsSince1970), $0) }
    }

    /// Puts a snapshot in the place of everything.
    mutating func compact(to snapshot: [Entry], at now: Int) {
        add(.compact(snapshot.map { record(of: $0) }), at: now)
    }

    private mutating func record(of entry: Entry) -> NewRecord {
        var record = written[entry.fact] ?? NewRecord(entry)
        record.millisecondsSince1970 = Int64(entry.millisecondsSince1970)
        written[entry.fact] = record
        return record
    }

    mutating func add(_ job: Job, at now: Int) {
        jobs.append((job, max(now, jobs.last?.doneAt ?? now) + latencyMilliseconds))
    }

    /// The disk is done with the first of what it was to do. Where a snapshot fails, the records stay as they were.
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
            // Nobody is left to be told: the restart finds what there is.
        }
    }

    /// The disk fails from now on, or works again.
    mutating func fail(_ fault: DiskFault?) { disk.faults = fault.map { [$0] } ?? [] }

    /// The service dies. Of what it wanted of the disk, some got to the kernel.
    mutating func crash(_ chance: inout SeededGenerator) {
        let count = jobs.isEmpty ? 0 : chance.number(in: 0...jobs.count)
        performWithoutReply(jobs.prefix(count).map(\.job))
        (journal, jobs) = (nil, [])
    }

    /// The power goes, somewhere within whatever the disk is doing; of what was not synced, chance keeps some.
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
        // A worn disk is worn still when the power is back.
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
