// The hooked disk: it calls a test's hooks before or after an operation.

import Journal

/// Forwards every operation to another disk, and calls the hooks.
package final class HookedDisk: Disk {
    private let disk: any Disk
    /// The hooks around each sync of a file.
    package var willSync: () -> Void = {}
    package var didSync: () -> Void = {}
    package var willWrite: () -> Void = {}
    package var didSyncNames: () -> Void = {}
    package var didUnlock: () -> Void = {}
    /// Returns the names to list, or nil to list those of the other disk.
    package var listedNames: () -> [String]? = { nil }

    package init(_ disk: any Disk) { self.disk = disk }

    package func names() throws(DiskError) -> [String] {
        if let names = listedNames() { return names }
        return try disk.names()
    }

    package func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        HookedFile(try disk.open(name, for: access), self)
    }

    package func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    package func remove(_ name: String) throws(DiskError) { try disk.remove(name) }

    package func syncNames() throws(DiskError) {
        try disk.syncNames()
        didSyncNames()
    }

    package func lock() throws(LockError) { try disk.lock() }

    package func unlock() {
        disk.unlock()
        didUnlock()
    }

    package var freeBytes: Int? { disk.freeBytes }
    package var isVolatile: Bool { disk.isVolatile }
}

private final class HookedFile: DiskFile {
    private let file: any DiskFile
    private let disk: HookedDisk

    init(_ file: any DiskFile, _ disk: HookedDisk) {
        (self.file, self.disk) = (file, disk)
    }

    func size() throws(DiskError) -> Int { try file.size() }
    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }

    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
        disk.willWrite()
        return try file.write(bytes, at: offset)
    }

    func sync() throws(DiskError) {
        disk.willSync()
        try file.sync()
        disk.didSync()
    }
}
