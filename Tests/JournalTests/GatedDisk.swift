// A disk whose syncs can be held up, so that a test decides what arrives meanwhile.

import SimulatedDevices
import Synchronization
import System

@testable import Journal

/// What syncs have to pass.
final class Gate: Sendable {
    private struct State {
        var isShut = false
        var isSomebodyWaiting = false
        var syncCount = 0
    }

    private let state = Mutex(State())
    private let knock = Semaphore()
    private let opening = Semaphore()

    var syncCount: Int { state.withLock { $0.syncCount } }

    func shut() {
        state.withLock { $0.isShut = true }
    }

    func open() {
        let isSomebodyWaiting = state.withLock { state in
            state.isShut = false
            defer { state.isSomebodyWaiting = false }
            return state.isSomebodyWaiting
        }
        if isSomebodyWaiting { opening.signal() }
    }

    /// Returns when a sync stands before the gate.
    func awaitKnock() {
        knock.wait()
    }

    func pass() {
        let isShut = state.withLock { state in
            state.syncCount += 1
            state.isSomebodyWaiting = state.isShut
            return state.isShut
        }
        guard isShut else { return }
        knock.signal()
        opening.wait()
    }
}

/// A disk with a gate before its syncs.
final class GatedDisk: Disk {
    private let disk = SimulatedDisk()
    private var hasOpened = false
    private let gate: Gate
    private let faults: [DiskFault]
    private let unlocked: AsyncStream<Void>.Continuation?

    /// - Parameters:
    ///   - faults: what fails once the journal is open.
    ///   - unlocked: is told when the journal is closed.
    init(_ gate: Gate, faults: [DiskFault] = [], unlocked: AsyncStream<Void>.Continuation? = nil) {
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
    private let gate: Gate

    init(_ file: any DiskFile, _ gate: Gate) {
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
