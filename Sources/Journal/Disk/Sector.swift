// What a disk does with a sector: all that the journal relies on, and all that the simulated disk does to it.

/// The part of a file that a disk writes at a time.
///
/// Until a write is synced, a power cut may leave each of its sectors old, new, torn (the first bytes new, the rest old) or
/// garbled. A synced sector keeps its bytes, also when others are written, or it is written again with the same bytes. So every
/// commit begins in a fresh sector, and a sector with acknowledged records is never written with other bytes.
package enum Sector {
    /// Its size. Disks with larger ones are told to write several of these as a whole.
    package static let bytes = 512
}
