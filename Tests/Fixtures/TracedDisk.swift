// A disk that is as slow as a test wants it, and tells when it has made something last.

import Glibc
import Journal
import Mocks

/// A disk that takes its time, and of which is noted when it has made something last.
package final class TracedDisk: Disk {
    private let disk: any Disk
    private let trace: Trace
    private let syncMicroseconds: UInt32
    private let gate: SyncGate

    /// That disk, which needs so long whenever something is to last.
    package init(_ disk: any Disk, _ trace: Trace, syncMicroseconds: UInt32, _ gate: SyncGate = SyncGate()) {
        (self.disk, self.trace, self.syncMicroseconds, self.gate) = (disk, trace, syncMicroseconds, gate)
    }

    package func names() throws(DiskError) -> [String] { try disk.names() }

    package func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        File(try disk.open(name, for: access), self)
    }

    package func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    package func remove(_ name: String) throws(DiskError) { try disk.remove(name) }
    package func syncNames() throws(DiskError) { try disk.syncNames() }
    package func lock() throws(LockError) { try disk.lock() }
    package func unlock() { disk.unlock() }
    package var freeBytes: Int? { disk.freeBytes }

    private final class File: DiskFile {
        private let file: any DiskFile
        private let disk: TracedDisk

        init(_ file: any DiskFile, _ disk: TracedDisk) {
            (self.file, self.disk) = (file, disk)
        }

        func size() throws(DiskError) -> Int { try file.size() }
        func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }

        func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
            disk.trace.note(.written)
            return try file.write(bytes, at: offset)
        }

        func sync() throws(DiskError) {
            usleep(disk.syncMicroseconds)
            disk.gate.pass()
            try file.sync()
            disk.trace.note(.synced)
        }
    }
}
