// A real directory that fails on command, like a full or worn-out card.

import Journal
import Synchronization

/// A disk that forwards calls to another disk, and refuses changes on command.
package final class FaultyDisk: Disk {
    /// The reason why the disk refuses changes; nil if it accepts them.
    package typealias Wear = DiskFault.Kind?

    /// Sets the wear while a journal uses the disk.
    package final class Switch: Sendable {
        private let current = Mutex<Wear>(nil)
        private let dangers = Mutex<(freeBytes: Int?, isVolatile: Bool)>((nil, false))

        package init() {}

        package var wear: Wear {
            get { current.withLock { $0 } }
            set { current.withLock { $0 = newValue } }
        }

        /// The free bytes that the disk reports; nil for the true number.
        package var freeBytes: Int? {
            get { dangers.withLock { $0.freeBytes } }
            set { dangers.withLock { $0.freeBytes = newValue } }
        }

        package var isVolatile: Bool {
            get { dangers.withLock { $0.isVolatile } }
            set { dangers.withLock { $0.isVolatile = newValue } }
        }

        fileprivate func check(_ operation: DiskError.Operation, _ name: String) throws(DiskError) {
            if let wear { throw DiskError(operation, name, .system(wear.errorNumber)) }
        }
    }

    private let disk: any Disk
    private let wear: Switch

    package init(_ disk: any Disk, _ wear: Switch) {
        (self.disk, self.wear) = (disk, wear)
    }

    package var freeBytes: Int? { wear.freeBytes ?? disk.freeBytes }
    package var isVolatile: Bool { wear.isVolatile }

    package func names() throws(DiskError) -> [String] { try disk.names() }

    package func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        if access == .creating { try wear.check(.create, name) }
        return File(try disk.open(name, for: access), name, wear)
    }

    package func rename(_ name: String, to newName: String) throws(DiskError) {
        try wear.check(.rename, name)
        try disk.rename(name, to: newName)
    }

    /// A removal is never refused, because it frees space.
    package func remove(_ name: String) throws(DiskError) { try disk.remove(name) }

    package func syncNames() throws(DiskError) { try disk.syncNames() }

    package func lock() throws(LockError) { try disk.lock() }

    package func unlock() { disk.unlock() }

    private final class File: DiskFile {
        private let file: any DiskFile
        private let name: String
        private let wear: Switch

        var isDeleted: Bool { file.isDeleted }

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
