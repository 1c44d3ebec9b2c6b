// The tests of the simulated disk: it damages data as ordered, and no further.

import Glibc
import Journal
import SimulatedDevices
import Testing

@Suite struct SimulatedDiskTests {
    let disk = SimulatedDisk()

    /// Returns a durable file of zeros.
    func file(_ name: String = "file", sectors: Int = 2) throws -> any DiskFile {
        let file = try disk.open(name, for: .creating)
        _ = try file.write([UInt8](repeating: 0, count: sectors * Sector.bytes), at: 0)
        try file.sync()
        try disk.syncNames()
        return file
    }

    func bytes(_ fates: [PartFate]) throws -> [UInt8] {
        try #require(disk.image(afterCut: fates).files["file"])
    }

    @Test func unsyncedSectors_areKeptOrLost_asTheTestChooses() throws {
        let file = try file()
        _ = try file.write([UInt8](repeating: 1, count: 2 * Sector.bytes), at: 0)
        #expect(disk.unsyncedParts.map(\.byteCount) == [Sector.bytes, Sector.bytes])
        #expect(try bytes([.dropped, .kept]).prefix(Sector.bytes).allSatisfy { $0 == 0 })
        #expect(try bytes([.dropped, .kept]).suffix(Sector.bytes).allSatisfy { $0 == 1 })
        #expect(try bytes([.torn(byteCount: 3), .dropped]).filter { $0 == 1 }.count == 3)
        let garbled = try bytes([.garbled, .dropped])
        #expect(garbled.prefix(Sector.bytes).allSatisfy { $0 != 0 })
        #expect(Set(garbled.prefix(Sector.bytes)).count > 2)
        #expect(garbled.suffix(Sector.bytes).allSatisfy { $0 == 0 })
    }

    @Test func syncedSectors_surviveAPowerCut() throws {
        let file = try file()
        _ = try file.write([UInt8](repeating: 1, count: Sector.bytes), at: 0)
        try file.sync()
        #expect(disk.unsyncedParts.isEmpty)
        // A write of the same bytes cannot change them, even if it is lost or torn.
        _ = try file.write([UInt8](repeating: 1, count: Sector.bytes), at: 0)
        for fate in [PartFate.dropped, .kept, .torn(byteCount: 9), .garbled] {
            #expect(try bytes([fate]).prefix(Sector.bytes).allSatisfy { $0 == 1 })
        }
    }

    @Test func unsyncedNames_mayBeLost() throws {
        let file = try disk.open("new", for: .creating)
        _ = try file.write([7], at: 0)
        try file.sync()
        #expect(disk.imageAfterWorstCut.files.isEmpty)
        #expect(disk.image(afterCut: [.kept]).files == ["new": [7]])
        try disk.syncNames()
        try disk.rename("new", to: "old")
        #expect(disk.imageAfterWorstCut.files == ["new": [7]])
        #expect(disk.currentImage.files == ["old": [7]])
    }

    @Test func bytesOfAFailedSync_areReadButNeverSaved() throws {
        let file = try file(sectors: 1)
        _ = try file.write([1], at: 0)
        disk.faults = [DiskFault(.worn, after: 0, count: 1)]
        #expect(throws: DiskError(.sync, "file", .system(EIO))) { try file.sync() }
        try file.sync()
        #expect(try file.read(1, at: 0) == [1])
        #expect(try bytes([.dropped])[0] == 0)
        #expect(try bytes([.kept])[0] == 1)
    }

    @Test func faults_occurInOrder() throws {
        let file = try file(sectors: 1)
        disk.faults = [DiskFault(.worn, after: 1, count: 1), DiskFault(.full, after: 1, count: 2)]
        var outcomes: [Int32?] = []
        for _ in 0..<7 {
            do throws(DiskError) {
                _ = try file.write([1], at: 0)
                outcomes.append(nil)
            } catch {
                guard case .system(let number) = error.reason else { throw error }
                outcomes.append(number)
            }
        }
        #expect(outcomes == [nil, EIO, nil, ENOSPC, ENOSPC, nil, nil])
        #expect(disk.failureCount == 3)
    }

    @Test func fullDisk_writesTheBytesThatFit() throws {
        let file = try file(sectors: 1)
        disk.capacity = Sector.bytes + 10
        #expect(try file.write([UInt8](repeating: 1, count: 20), at: Sector.bytes) == 10)
        #expect(throws: DiskError(.write, "file", .system(ENOSPC))) { try file.write([1], at: Sector.bytes + 10) }
        #expect(try file.write([2, 2], at: 0) == 2)
    }
}
