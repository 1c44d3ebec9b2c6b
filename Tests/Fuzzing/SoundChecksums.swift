// The repair of a mutated journal's checksums, so that fuzzing reaches the code behind them.

/// Returns the bytes with correct checksums wherever a header or a record may start. This is a second
/// implementation of the format, with the checksum bit by bit. The header names this segment and the
/// previous one.
func withSoundChecksums(_ bytes: [UInt8], ofSegment number: UInt8 = 1) -> [UInt8] {
    guard bytes.count >= 512 else { return bytes }
    var bytes = bytes
    if number > 1 {
        bytes[16] = number
        bytes[32] = number - 1
    }
    bytes.replaceSubrange(508..<512, with: checksum(bytes[..<508]))
    var offset = 512
    while offset + 40 <= bytes.count {
        let length = (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
        guard length >= 40, offset + length <= bytes.count else {
            offset += 8
            continue
        }
        let segment: [UInt8] = [number, 0, 0, 0, 0, 0, 0, 0]
        let covered = segment + bytes[offset..<offset + 4] + bytes[offset + 8..<offset + length]
        bytes.replaceSubrange(offset + 4..<offset + 8, with: checksum(covered[...]))
        offset += (length + 7) / 8 * 8
        if offset % 512 > 512 - 40 { offset = (offset + 511) / 512 * 512 }
    }
    return bytes
}

/// Returns the CRC-32C in the file's byte order.
private func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
    }
    return (0..<4).map { UInt8(truncatingIfNeeded: ~crc >> (8 * $0)) }
}
