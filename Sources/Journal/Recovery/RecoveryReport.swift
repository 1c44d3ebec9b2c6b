// What opening a journal found, for the owner and for whoever has to mend it.

/// What a journal's directory was like when it was opened, and what was done about it.
package struct RecoveryReport: Hashable, Sendable {
    package internal(set) var isFirstStart = false
    package internal(set) var recordCount = 0
    /// The number of the newest record; nothing where there is none.
    package internal(set) var lastSequence: UInt64?
    /// What comes behind the last whole append. It is not part of the journal any more; if there were whole records in it, it
    /// was kept in a file of its own, if there was room.
    package internal(set) var tornTail: TornTail?
    /// What is damaged, and what is missing because of it.
    package internal(set) var damage: [Damage] = []
    /// Files that were ever set aside for a person to look at: damaged ones, and the last torn tail with whole records.
    package internal(set) var setAside: [String] = []
    /// Why nothing can be appended for now. Each append tries again.
    package internal(set) var cannotWrite: DiskError?

    /// Whether anything that had been acknowledged is missing, or may be.
    package var isDamaged: Bool { !damage.isEmpty }
}
