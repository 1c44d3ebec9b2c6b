// The least that any durable commit takes on this disk.

import Journal

/// A file with room, of which one sector after the other is written and synced: no log can be faster, one commit at a time.
final class BareDisk {
    private let file: any DiskFile
    private var offset = 0

    private static let sectorBytes = 512
    private static let sectorCount = 8192
    private static let sector = [UInt8](repeating: 0x55, count: sectorBytes)

    init(in folder: String) throws {
        file = try LinuxDisk(directory: folder).open("bare", for: .creating)
        let zeros = [UInt8](repeating: 0, count: BareDisk.sectorBytes * 256)
        for chunk in 0..<BareDisk.sectorCount / 256 { _ = try file.write(zeros, at: chunk * zeros.count) }
        try file.sync()
    }

    func writeSector() throws {
        _ = try file.write(BareDisk.sector, at: offset)
        try file.sync()
        offset = (offset + BareDisk.sectorBytes) % (BareDisk.sectorCount * BareDisk.sectorBytes)
    }
}
