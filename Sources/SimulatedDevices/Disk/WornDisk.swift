// A real directory that can be told to fail: what happens to an appliance whose card is full or worn out.

import Glibc
import Journal
import Synchronization

/// A disk that does what another does, until it is told to refuse what would change it.
public final class WornDisk: Disk {
    /// What it does with whatever would change it.
    public enum Wear: Sendable {
        /// Takes it.
        case none
        /// Has no room for it.
        case full
        /// Fails.
        case failing
        /// May not be written to.
        case readOnly
    }

    /// How worn it is, for whoever changes that while a journal uses it.
    public final class Switch: Sendable {
        private let current = Mutex(Wear.none)

        /// Not worn.
        public init() {}

        /// How worn it is now.
        public var wear: Wear {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }

        fileprivate func check(_ operation: DiskError.Operation, _ name: String) throws(DiskError) {
            switch wear {
            case .none: return
            case .full: throw DiskError(operation, name, .system(ENOSPC))
            case .failing: throw DiskError(operation, name, .system(EIO))
            case .readOnly: throw DiskError(operation, name, .system(EROFS))
            }
        }
    }

    private let disk: any Disk
    private let wear: Switch

    /// That disk, as worn as the switch says.
    public init(_ disk: any Disk, _ wear: Switch) {
        (self.disk, self.wear) = (disk, wear)
    }

    /// As on the other disk.
    public func names() throws(DiskError) -> [String] { try disk.names() }

    /// As on the other disk, unless it is worn.
    public func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        if access == .creating { try wear.check(.create, name) }
        return File(try disk.open(name, for: access), name, wear)
    }

    /// As on the other disk, unless it is worn.
    public func rename(_ name: String, to newName: String) throws(DiskError) {
        try wear.check(.rename, name)
        try disk.rename(name, to: newName)
    }

    /// As on the other disk: it makes room.
    public func remove(_ name: String) throws(DiskError) { try disk.remove(name) }

    /// As on the other disk.
    public func syncNames() throws(DiskError) { try disk.syncNames() }

    /// As on the other disk.
    public func lock() throws(LockError) { try disk.lock() }

    /// As on the other disk.
    public func unlock() { disk.unlock() }

    private final class File: DiskFile {
        private let file: any DiskFile
        private let name: String
        private let wear: Switch

        init(_ file: any DiskFile, _ name: String, _ wear: Switch) {
            (self.file, self.name, self.wear) = (file, name, wear)
        }

        func size() throws(DiskError) -> Int { try file.size() }

        func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }

        func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
            try wear.check(.write, name)
            return try file.write(bytes, at: offset)
        }

        func sync() throws(DiskError) { try file.sync() }
    }
}
