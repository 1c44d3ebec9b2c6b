// The real journal on a disk that is slow, fails, and loses its power.

import Engine
import Journal
import SimulatedDevices

/// The journal of a simulated machine. A commit takes its time; what happens meanwhile happens to it.
struct Store {
    var latencyMilliseconds = 8
    /// When the commit that is on its way is done.
    private(set) var doneAt: Int?
    /// Everything that the journal has now, as far as is known.
    private(set) var entries: [Entry] = []
    private var disk = SimulatedDisk()
    private var journal: Journal?
    private var pending: (entries: [Entry], number: Int)?

    private static let chunkBytes = 4096

    enum Outcome {
        case kept([Entry], Int)
        case notKept(Int, String)
    }

    var compactionPays: Bool { journal?.compactionPays ?? false }

    /// Opens the journal; nothing comes of one that cannot be opened.
    mutating func open() -> [Entry]? {
        disk.faults = []
        pending = nil
        doneAt = nil
        do throws(JournalError) {
            let opened = try Journal.open(disk, chunkBytes: Store.chunkBytes)
            journal = opened.journal
            entries = opened.records.compactMap { record in
                Fact(kind: record.kind.rawValue, payload: record.payload).map {
                    Entry(millisecondsSince1970: Int(record.millisecondsSince1970), $0)
                }
            }
            return entries
        } catch {
            return nil
        }
    }

    mutating func begin(_ entries: [Entry], _ number: Int, at now: Int) {
        pending = (entries, number)
        doneAt = now + latencyMilliseconds
    }

    /// The disk is done with the commit.
    mutating func finish() -> Outcome? {
        guard let (entries, number) = pending else { return nil }
        pending = nil
        doneAt = nil
        do throws(JournalError) {
            try journal?.append(entries.map(NewRecord.init))
            self.entries += entries
            return .kept(entries, number)
        } catch {
            return .notKept(number, "\(error)")
        }
    }

    /// Whether the snapshot has taken the place of everything.
    mutating func compact(to snapshot: [Entry]) -> Bool {
        do throws(JournalError) {
            try journal?.compact(to: snapshot.map(NewRecord.init))
            entries = snapshot
            return true
        } catch {
            // The records stay as they were.
            return false
        }
    }

    mutating func fail(_ kind: DiskFault.Kind, count: Int) {
        disk.faults = [DiskFault(kind, after: 0, count: count)]
    }

    mutating func mend() {
        disk.faults = []
    }

    /// The service dies. A commit that is on its way gets to the kernel, or never does.
    mutating func crash(_ chance: inout Chance) {
        if let (entries, _) = pending, chance.number(in: 0...1) == 0 {
            do throws(JournalError) { try journal?.append(entries.map(NewRecord.init)) } catch {
                // Nobody is left to be told: the restart finds what there is.
            }
        }
        (journal, pending, doneAt) = (nil, nil, nil)
    }

    /// The power goes, somewhere within whatever the disk is doing; of what was not synced, chance keeps some.
    mutating func cutPower(_ chance: inout Chance) {
        var images: [DiskImage] = []
        var drawing = chance
        if let (entries, _) = pending {
            disk.afterChange = { [unowned disk] in images.append(disk.image(afterCut: drawing.fates(disk))) }
            do throws(JournalError) { try journal?.append(entries.map(NewRecord.init)) } catch {
                // Nobody is left to be told: the restart finds what there is.
            }
            disk.afterChange = nil
        }
        images.insert(disk.image(afterCut: drawing.fates(disk)), at: 0)
        chance = drawing
        let image = images[chance.number(in: 0...images.count - 1)]
        (journal, pending, doneAt) = (nil, nil, nil)
        disk = SimulatedDisk(image)
    }
}

extension NewRecord {
    fileprivate init(_ entry: Entry) {
        self.init(
            RecordKind(rawValue: entry.fact.kind.rawValue), millisecondsSince1970: Int64(entry.millisecondsSince1970),
            payload: entry.fact.payload)
    }
}

extension Chance {
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
