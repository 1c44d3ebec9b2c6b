// A disk whose syncs can be held up, so that a test decides what arrives meanwhile.

import Mocks
import SimulatedDevices

@testable import Journal

/// A disk with a gate before its syncs.
final class GatedDisk: Disk {
    private let disk = SimulatedDisk()
    private var hasOpened = false
    private let gate: SyncGate
    private let faults: [DiskFault]
    private let unlocked: AsyncStream<Void>.Continuation?

    /// - Parameters:
    ///   - faults: what fails once the journal is open.
    ///   - unlocked: is told when the journal is closed.
    init(_ gate: SyncGate, faults: [DiskFault] = [], unlocked: AsyncStream<Void>.Continuation? = nil) {
        self.gate = gate
        self.faults = faults
        self.unlocked = unlocked
    }

    func names() throws(DiskError) -> [String] { try disk.names() }
    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        GatedFile(try disk.open(name, for: access), gate)
    }
    func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    func remove(_ name: String) throws(DiskError) { try disk.remove(name) }
    func syncNames() throws(DiskError) {
        try disk.syncNames()
        // The first sync of the names is the last thing that opening an empty journal does.
        if !hasOpened { disk.faults = faults }
        hasOpened = true
    }
    func lock() throws(LockError) { try disk.lock() }
    func unlock() {
        disk.unlock()
        unlocked?.yield()
    }
}

private final class GatedFile: DiskFile {
    private let file: any DiskFile
    private let gate: SyncGate

    init(_ file: any DiskFile, _ gate: SyncGate) {
        self.file = file
        self.gate = gate
    }

    func size() throws(DiskError) -> Int { try file.size() }
    func read(_ count: Int, at offset: Int) throws(DiskError) -> [UInt8] { try file.read(count, at: offset) }
    func write(_ bytes: [UInt8], at offset: Int) throws(DiskError) -> Int { try file.write(bytes, at: offset) }
    func sync() throws(DiskError) {
        gate.pass()
        try file.sync()
    }
}
