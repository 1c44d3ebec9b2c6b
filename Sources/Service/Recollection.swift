// What a service that starts knows from before.

import Engine
import Journal

/// A journal that was opened, what it says, and what its owner should know of it.
public struct RecoveredJournal: Sendable {
    let writer: JournalWriter
    let entries: [Entry]
    /// What a newer Rooster has written, and this one does not understand: it is not this one's to throw away.
    let foreign: [NewRecord]
    let warnings: [String]
    /// What stands in the way of writing anything down; nothing where nothing does.
    let diskTrouble: Health?
    /// Sees what the journal is to keep, as it is handed over.
    package var commitWitness: (@Sendable ([Entry]) -> Void)?

    /// Opens the journal on a disk, or begins one.
    public init(openingOn disk: sending any Disk) throws(JournalError) {
        let opened = try Journal.open(disk)
        var (entries, foreign): ([Entry], [NewRecord]) = ([], [])
        for record in opened.records {
            if let entry = Entry(record) { entries.append(entry) } else { foreign.append(NewRecord(record)) }
        }
        (self.entries, self.foreign) = (entries, foreign)
        warnings = RecoveredJournal.warnings(opened.report, foreignCount: foreign.count)
        diskTrouble = opened.report.cannotWrite.map { Health(.diskRefuses(reason: "\($0)")) }
        writer = try JournalWriter(opened.journal)
    }

    private static func warnings(_ report: RecoveryReport, foreignCount: Int) -> [String] {
        var warnings: [String] = []
        if report.isDamaged {
            warnings.append(
                "The journal was damaged: what could be read is kept, but look whether all alarms are there "
                    + "('rooster journal check' tells more)")
        }
        if foreignCount > 0 {
            warnings.append(
                "The journal has \(foreignCount) records that this Rooster does not understand: install the newer one again"
            )
        }
        return warnings
    }
}
