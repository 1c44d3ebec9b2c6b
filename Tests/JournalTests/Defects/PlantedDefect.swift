// The planted defects of a journal. Each sits between a correct journal and its disk, and makes both
// together behave like a journal with that defect.

import Journal
import SimulatedDevices

enum PlantedDefect: String, CaseIterable {
    /// Acknowledges before the bytes are synced.
    case syncLeftOut
    /// Acknowledges before the directory is synced.
    case namesNotSynced
    /// Accepts records without a check of their checksum.
    case checksumNotChecked
    /// Skips a damaged record by the length that it claims.
    case lengthTrusted
    /// Appends over a torn tail and leaves the bytes behind it.
    case tailNotZeroed
    /// Assumes that bytes it has read are durable.
    case readingTrusted
    /// Removes the old segment before the new one's name is durable.
    case retiredTooEarly
    /// Continues with a file after a failed sync.
    case failedSyncTrusted
    /// Continues after a short write.
    case shortWriteTrusted
    /// Reports every missing record as damage, even one that was never durable.
    case commitStartIgnored
    /// Reports no missing record as damage.
    case damageTakenForTornTail
    /// Renames a segment before its bytes are synced.
    case renamedTooEarly
    /// Reuses a segment at open without a sync of the directory.
    case directoryLeftUnsyncedAtOpen
}

/// A disk that adds the defect to a correct journal.
final class DefectiveDisk: Disk {
    private let disk: SimulatedDisk
    private let defect: PlantedDefect
    private var hasWritten = false

    init(_ disk: SimulatedDisk, _ defect: PlantedDefect) {
        self.disk = disk
        self.defect = defect
    }

    func names() throws(DiskError) -> [String] { try disk.names() }

    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        DefectiveFile(try disk.open(name, for: access), name: name, access, defect)
    }

    func rename(_ name: String, to newName: String) throws(DiskError) {
        hasWritten = true
        try disk.rename(name, to: newName)
        guard defect == .retiredTooEarly else { return }
        for other in try disk.names() where other != newName { try disk.remove(other) }
    }

    func remove(_ name: String) throws(DiskError) {
        // The journal with this defect has removed the file earlier.
        if defect != .retiredTooEarly { try disk.remove(name) }
    }

    func syncNames() throws(DiskError) {
        if defect == .namesNotSynced || defect == .directoryLeftUnsyncedAtOpen && !hasWritten { return }
        try disk.syncNames()
    }

    func lock() throws(LockError) { try disk.lock() }

    func unlock() { disk.unlock() }
}

private final class DefectiveFile: DiskFile {
    private let file: any DiskFile
    private let name: String
    private let access: DiskAccess
    private let defect: PlantedDefect

    init(_ file: any DiskFile, name: String, _ access: DiskAccess, _ defect: PlantedDefect) {
        self.file = file
        self.name = name
        self.access = access
        self.defect = defect
    }

    private var isNew: Bool { access == .creating }

    func size() throws(DiskError) -> Int { try file.size() }

    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] {
        // Only recovery interprets the bytes that it reads.
        guard access == .reading, defect.misreads else { return try file.read(count, at: offset) }
        let whole = try file.read(try file.size(), at: 0)
        return Array(defect.misread(whole, of: name).dropFirst(offset).prefix(count))
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
        let old = try file.read(bytes.count, at: offset)
        let isOverwriting = !isNew && old.count == bytes.count
        switch defect {
        case .tailNotZeroed where isOverwriting && bytes.allSatisfy { $0 == 0 }: return bytes.count
        case .readingTrusted where isOverwriting && old == bytes: return bytes.count
        case .shortWriteTrusted:
            _ = try file.write(bytes, at: offset)
            return bytes.count
        default: return try file.write(bytes, at: offset)
        }
    }

    func sync() throws(DiskError) {
        switch defect {
        case .syncLeftOut: return
        case .renamedTooEarly where isNew: return
        case .failedSyncTrusted:
            do throws(DiskError) { try file.sync() } catch { return }
        default: try file.sync()
        }
    }
}
