// What a disk does with a sector: all that the journal relies on, and all that the simulated disk does to it.

/// The part of a file that a disk writes at a time.
///
/// Until a write is synced, a power cut may leave each of its sectors as it was, as it should be, torn (the first bytes new,
/// the rest old) or full of garbage, whatever becomes of those beside it. A sector that was synced keeps its bytes: writes to
/// others do not harm it, nor does writing it again with the bytes that it has.
///
/// So every commit begins in a fresh sector, and a sector with acknowledged records is never written with other bytes.
package enum Sector {
    /// Its size. Disks with larger ones are told to write several of these as a whole.
    package static let bytes = 512
}
