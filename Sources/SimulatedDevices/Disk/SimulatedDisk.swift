// A directory in memory, with the losses that a power cut may cause on a real disk.

import Glibc
import Journal

/// A disk that keeps synced and unsynced changes apart, and fails on command.
///
/// It is harsher than any file system. Unsynced bytes and names may reach the disk in any order or not at
/// all; `Sector` lists the fates of bytes. A file's sync does not make its name durable. After a failed sync
/// of a file, its unsynced bytes are lost for good, though they can be read until the power cut. In one
/// point it is kinder than some kernels: after a failed sync of names, the next one makes up for it.
package final class SimulatedDisk: Disk {
    /// The durable contents, without `changes`.
    private(set) var durable: DiskContents
    /// The later changes. A durable one stays here while an earlier one is not.
    private(set) var changes: [DiskChange] = []
    /// The contents that a read sees.
    private var current: DiskContents
    private var fileCount: Int
    private var isLocked = false

    /// The coming faults. Each begins to count when the one before is over.
    package var faults: [DiskFault] = []
    /// The limit of all files' bytes together; nil for none. As on a real disk, a write beyond the limit
    /// stores the bytes that fit.
    package var capacity: Int?
    package private(set) var failureCount = 0
    package var hasFailed: Bool { failureCount > 0 }
    /// Called after each change, and after each sync that alters the result of a power cut.
    package var afterChange: (() -> Void)?
    /// The bytes whose reading fails, by file name.
    package var unreadable: [String: Range<Int>] = [:]
    package private(set) var bytesWritten = 0
    /// The number of syncs of files and of names.
    package private(set) var syncCount = 0

    /// Creates the disk that a power cut left.
    package init(_ image: DiskImage = DiskImage()) {
        var contents = DiskContents()
        for (index, file) in image.files.enumerated() {
            contents.names[file.key] = index
            contents.files[index] = file.value
        }
        durable = contents
        current = contents
        fileCount = image.files.count
    }

    /// The contents that a read sees, synced or not.
    package var currentImage: DiskImage { current.image }

    func attempt(_ operation: DiskError.Operation, _ name: String) throws(DiskError) {
        guard let fault = faults.first, fault.kind.concerns(operation) else { return }
        guard fault.after == 0 else {
            faults[0].after -= 1
            return
        }
        faults[0].count -= 1
        if fault.count == 1 { faults.removeFirst() }
        failureCount += 1
        throw DiskError(operation, name, .system(fault.kind.errorNumber))
    }

    func make(_ kind: DiskChange.Kind) {
        let change = DiskChange(kind: kind)
        changes.append(change)
        current.apply(change)
        afterChange?()
    }

    /// Moves durable changes to `durable`, unless an earlier change to the same file is not durable.
    private func fold() {
        var blocked: Set<Int?> = []
        changes.removeAll { change in
            guard change.fate == .settled, !blocked.contains(change.file) else {
                blocked.insert(change.file)
                return false
            }
            durable.apply(change)
            return true
        }
    }

    private func settle(_ file: Int?, as fate: DiskChange.Fate) {
        for index in changes.indices where changes[index].file == file && changes[index].fate == .dirty {
            changes[index].fate = fate
        }
        fold()
    }
}

extension SimulatedDisk {
    package func names() throws(DiskError) -> [String] {
        try attempt(.list, "the directory")
        return Array(current.names.keys)
    }

    package func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        if access == .creating {
            guard current.names[name] == nil else { throw DiskError(.create, name, .system(EEXIST)) }
            try attempt(.create, name)
            fileCount += 1
            make(.create(name: name, file: fileCount))
            return SimulatedFile(fileCount, name: name, on: self)
        }
        try attempt(.open, name)
        guard let file = current.names[name] else { throw DiskError(.open, name, .system(ENOENT)) }
        return SimulatedFile(file, name: name, on: self)
    }

    package func rename(_ name: String, to newName: String) throws(DiskError) {
        try attempt(.rename, name)
        guard let file = current.names[name] else { throw DiskError(.rename, name, .system(ENOENT)) }
        make(.rename(name: name, newName: newName, file: file))
    }

    package func remove(_ name: String) throws(DiskError) {
        try attempt(.remove, name)
        guard current.names[name] != nil else { throw DiskError(.remove, name, .system(ENOENT)) }
        make(.remove(name: name))
    }

    package func syncNames() throws(DiskError) {
        syncCount += 1
        try attempt(.sync, "the directory")
        settle(nil, as: .settled)
        afterChange?()
    }

    /// Excludes every other journal until `unlock` is called.
    package func lock() throws(LockError) {
        guard !isLocked else { throw .held(by: nil) }
        isLocked = true
    }

    package func unlock() {
        isLocked = false
    }
}

extension SimulatedDisk {
    func bytes(of file: Int) -> [UInt8] { current.files[file] ?? [] }

    func write(_ bytes: [UInt8], at offset: Int, to file: Int, named name: String) throws(DiskError) -> Int {
        bytesWritten += bytes.count
        let kind = faults.first?.kind
        do throws(DiskError) {
            try attempt(.write, name)
        } catch {
            // The fate of a failed write is undefined. This disk stores half of it.
            let half = Array(bytes.prefix(bytes.count / 2))
            if !half.isEmpty { make(.write(file: file, offset: offset, bytes: half)) }
            guard kind == .short else { throw error }
            return half.count
        }
        let fitting = min(bytes.count, max(0, current.size(of: file) - offset) + roomLeft)
        guard fitting > 0 || bytes.isEmpty else {
            failureCount += 1
            throw DiskError(.write, name, .system(ENOSPC))
        }
        make(.write(file: file, offset: offset, bytes: Array(bytes.prefix(fitting))))
        return fitting
    }

    /// Nil if there is no limit.
    public var freeBytes: Int? { capacity == nil ? nil : roomLeft }

    private var roomLeft: Int {
        guard let capacity else { return .max / 2 }
        return max(0, capacity - current.names.values.reduce(0) { $0 + current.size(of: $1) })
    }

    func sync(_ file: Int, named name: String) throws(DiskError) {
        syncCount += 1
        do throws(DiskError) {
            try attempt(.sync, name)
        } catch {
            settle(file, as: .lost)
            afterChange?()
            throw error
        }
        settle(file, as: .settled)
        afterChange?()
    }
}

/// An open file of a simulated disk. A rename does not affect it.
private final class SimulatedFile: DiskFile {
    private let file: Int
    private let name: String
    private let disk: SimulatedDisk

    init(_ file: Int, name: String, on disk: SimulatedDisk) {
        (self.file, self.name, self.disk) = (file, name, disk)
    }

    func size() throws(DiskError) -> Int {
        try disk.attempt(.measure, name)
        return disk.bytes(of: file).count
    }

    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] {
        try disk.attempt(.read, name)
        if let bad = disk.unreadable[name], bad.overlaps(offset..<offset + count) {
            throw DiskError(.read, name, .system(EIO))
        }
        return Array(disk.bytes(of: file).dropFirst(offset).prefix(count))
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int {
        try disk.write(bytes, at: offset, to: file, named: name)
    }

    func sync() throws(DiskError) {
        try disk.sync(file, named: name)
    }
}
