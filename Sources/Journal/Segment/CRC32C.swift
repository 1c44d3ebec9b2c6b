// The checksum of everything in a journal: CRC-32C (Castagnoli), eight bytes at a time.

struct CRC32C {
    private var state: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~state }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var state = state
        crc32cTables.withUnsafeBufferPointer { tables in
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                let mixed = word ^ UInt64(state)
                state =
                    tables[7 << 8 | Int(mixed & 0xFF)]
                    ^ tables[6 << 8 | Int(mixed >> 8 & 0xFF)]
                    ^ tables[5 << 8 | Int(mixed >> 16 & 0xFF)]
                    ^ tables[4 << 8 | Int(mixed >> 24 & 0xFF)]
                    ^ tables[3 << 8 | Int(mixed >> 32 & 0xFF)]
                    ^ tables[2 << 8 | Int(mixed >> 40 & 0xFF)]
                    ^ tables[1 << 8 | Int(mixed >> 48 & 0xFF)]
                    ^ tables[Int(mixed >> 56)]
                offset += 8
            }
            for byte in bytes[offset...] {
                state = tables[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ (state >> 8)
            }
        }
        self.state = state
    }

    mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { add($0) }
    }
}

/// Eight tables of 256. Table n has a byte's effect on the checksum n bytes later.
private let crc32cTables: [UInt32] = {
    let polynomial: UInt32 = 0x82F6_3B78
    var tables = (0..<256).map { (byte: UInt32) -> UInt32 in
        var crc = byte
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ polynomial : crc >> 1 }
        return crc
    }
    for index in 256..<2048 {
        let before = tables[index - 256]
        tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
    }
    return tables
}()
