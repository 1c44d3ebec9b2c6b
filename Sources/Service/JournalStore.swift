// The service's access to the journal: recovery, appends and tests of the disk.

import Engine
import Health
import Journal
import Records

/// An opened journal with its entries, and warnings for the owner.
package struct RecoveredJournal: Sendable {
    let store: JournalStore
    let entries: [Entry]
    let warnings: [String]

    /// Opens the journal on a disk, or begins one.
    package init(openingOn disk: sending any Disk) throws(JournalError) {
        let opened = try Journal.open(disk)
        var (entries, sequences, foreign): ([Entry], [Int], [NewRecord]) = ([], [], [])
        for record in opened.records {
            if let entry = Entry(record) {
                entries.append(entry)
                sequences.append(Int(record.sequence))
            } else {
                foreign.append(NewRecord(record))
            }
        }
        self.entries = entries
        warnings = RecoveredJournal.warnings(opened.report, foreignCount: foreign.count)
        // The entries are shared with the engine, so they need no further memory.
        let recent = zip(sequences, entries).suffix(Service.recentMax).map { RecordedEntry(sequence: $0, entry: $1) }
        let firstError = opened.report.cannotWrite.map { Health(.diskRefuses(reason: "\($0)")) }
        let writer = try JournalWriter(opened.journal)
        store = JournalStore(writer: writer, foreign: foreign, recent: recent, firstError: firstError)
    }

    private static func warnings(_ report: RecoveryReport, foreignCount: Int) -> [String] {
        var warnings: [String] = []
        if report.isDamaged {
            warnings.append(
                "The journal was damaged, and some records may be lost. Check that all alarms are there.")
        }
        if foreignCount > 0 {
            warnings.append(
                "The journal has \(foreignCount) records of a newer version of Rooster. Install that version again."
            )
        }
        return warnings
    }
}

/// Appends entries to the journal, and reports errors as text.
struct JournalStore: Sendable {
    let writer: JournalWriter
    /// Records that a newer version of Rooster wrote, and this one cannot read. Every snapshot begins with
    /// them, so that the entries after them take precedence.
    let foreign: [NewRecord]
    /// The last facts before the start, with their numbers, for followers that have lost their connection.
    let recent: [RecordedEntry]
    /// The disk's health at the start if it refused writes; nil if it accepted them.
    let firstError: Health?

    /// Appends entries. They are written in the order of the calls.
    func append(_ entries: [Entry]) -> Receipt {
        writer.submit(entries.map(NewRecord.init))
    }

    /// Replaces all earlier entries with a snapshot. Returns the reason if that fails, or nil.
    func compact(
        to snapshot: @escaping @Sendable () -> [Entry], isolation: isolated (any Actor)? = #isolation
    ) async -> String? {
        do throws(JournalError) {
            try await writer.compact { [foreign] in foreign + snapshot().map(NewRecord.init) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    var compactionPays: Bool { writer.status.compactionPays }

    /// Tests the disk, and returns its health. A last failure that suggests wear counts, even if the test
    /// passes. `isSimulated`: the owner knows that a restart forgets everything.
    func probe(isSimulated: Bool, isolation: isolated (any Actor)? = #isolation) async -> Health {
        do throws(JournalError) {
            try await writer.probe()
        } catch {
            return Health(.diskRefuses(reason: "\(error)"))
        }
        if hasLostFile {
            return Health(
                .described(
                    .warning,
                    "The journal's file was deleted while Rooster ran. It was written again, and nothing is lost. Find out "
                        + "what deletes files in Rooster's folder."))
        }
        if let failure = writer.status.lastFailure, failure.isSignOfWear {
            return Health(.diskWears(failure: failure.cause))
        }
        return isSimulated ? .ok : Health(writer.status.dangers.map { .described(.warning, $0) })
    }

    /// True if the journal's file was deleted, and has been written again from memory.
    var hasLostFile: Bool { writer.status.lastFailure?.reason == .deleted }

    /// The free bytes of the disk at the last test; nil if unknown.
    var freeBytes: Int? { writer.status.freeBytes }

    func close(isolation: isolated (any Actor)? = #isolation, complain: (String) -> Void) async {
        do throws(JournalError) {
            try await writer.close()
        } catch {
            complain("\(error)")
        }
    }
}

extension JournalStatus {
    /// Below this, the rest of the system soon fills the disk: its log alone may take as much in a day.
    private static let scarceBytes = 100_000_000

    /// The reasons why a disk that works may lose the alarms later.
    fileprivate var dangers: [String] {
        var dangers: [String] = []
        if isVolatile {
            dangers.append(
                "The alarms are in memory or on an overlay, so a restart of this machine may forget them. Put "
                    + "/var/lib/rooster on a partition of its own.")
        }
        if let freeBytes, freeBytes < JournalStatus.scarceBytes {
            dangers.append("The disk is nearly full: \(freeBytes / 1_000_000) MB are free. Delete files.")
        }
        return dangers
    }
}
