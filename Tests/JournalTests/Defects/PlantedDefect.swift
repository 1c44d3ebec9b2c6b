// Mistakes that a journal could have in it. Each stands between a sound journal and its disk, and makes the two together
// behave as a journal with that mistake would.

import Journal
import SimulatedDevices

/// One mistake.
enum PlantedDefect: String, CaseIterable {
    /// Acknowledges before the bytes last.
    case syncLeftOut
    /// Acknowledges before the names last.
    case namesNotSynced
    /// Takes records without looking at their checksum.
    case checksumNotChecked
    /// Skips a record that is damaged by the length that it claims.
    case lengthTrusted
    /// Appends over a torn tail and leaves what lies behind.
    case tailNotZeroed
    /// Takes what it read for what is on the disk.
    case readingTrusted
    /// Retires the old segment before the new one's name lasts.
    case retiredTooEarly
    /// Goes on with a file after a sync of it failed.
    case failedSyncTrusted
    /// Goes on after a write that took only some of the bytes.
    case shortWriteTrusted
    /// Calls everything that is missing damage, also what was never durable.
    case commitStartIgnored
    /// Calls nothing that is missing damage.
    case damageTakenForTornTail
    /// Renames a segment before its bytes last.
    case renamedTooEarly
    /// Takes up again a segment that had an unsynced end, without making it last.
    case directoryLeftUnsyncedAtOpen
}

/// A disk that a journal with the mistake would be content with.
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
        // The journal with this mistake has removed it already.
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
        // Only recovery makes something of what it reads.
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
