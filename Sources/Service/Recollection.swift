// What a starting service recovers from the journal.

import Engine
import Journal

/// An opened journal with its entries, and warnings for the owner.
public struct RecoveredJournal: Sendable {
    let writer: JournalWriter
    let entries: [Entry]
    /// Records that a newer version of Rooster has written. This one cannot read them, and keeps them.
    let foreign: [NewRecord]
    let warnings: [String]
    /// Why the disk refuses writes; nil where it takes them.
    let diskTrouble: Health?
    /// A callback of the simulator: it sees all entries that are committed.
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
