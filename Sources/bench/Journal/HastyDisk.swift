// A disk that syncs nothing: for journals that are made to be read, as fast as may be.

import Journal

final class HastyDisk: Disk {
    private let disk: LinuxDisk

    init(_ disk: LinuxDisk) {
        self.disk = disk
    }

    func names() throws(DiskError) -> [String] { try disk.names() }
    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        HastyFile(try disk.open(name, for: access))
    }
    func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    func remove(_ name: String) throws(DiskError) { try disk.remove(name) }
    func syncNames() {}
    func lock() throws(LockError) { try disk.lock() }
    func unlock() { disk.unlock() }
}

private final class HastyFile: DiskFile {
    private let file: any DiskFile

    init(_ file: any DiskFile) {
        self.file = file
    }

    func size() throws(DiskError) -> Int { try file.size() }
    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }
    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int { try file.write(bytes, at: offset) }
    func sync() {}
}
