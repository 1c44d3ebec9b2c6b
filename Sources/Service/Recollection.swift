// What a service that starts knows from before.

import Engine
import Journal

/// A journal that was opened, what it says, and what its owner should know of it.
public struct Recollection: Sendable {
    let writer: JournalWriter
    let entries: [Entry]
    let warnings: [String]

    /// Opens the journal on a disk, or begins one.
    public init(openingOn disk: sending any Disk) throws(JournalError) {
        let opened = try Journal.open(disk)
        entries = opened.records.compactMap(Entry.init)
        warnings = Recollection.warnings(opened.report, unreadCount: opened.records.count - entries.count)
        writer = try JournalWriter(opened.journal)
    }

    private static func warnings(_ report: RecoveryReport, unreadCount: Int) -> [String] {
        var warnings: [String] = []
        if report.isDamaged {
            warnings.append(
                "The journal was damaged: what could be read is kept, but look whether all alarms are there "
                    + "('rooster journal check' tells more)")
        }
        if let error = report.cannotWrite {
            warnings.append("The disk takes nothing (\(error)): a restart would not know what happens from now on")
        }
        if unreadCount > 0 {
            warnings.append(
                "The journal has \(unreadCount) records that this Rooster does not understand: install the newer one again"
            )
        }
        return warnings
    }
}
