// The tests of the checksum against the vectors of RFC 3720 (B.4), and against its definition, bit by bit.

import Oracles
import Testing

@testable import Journal

@Suite struct CRC32CTests {
    func checksum(_ bytes: [UInt8], cutAt cut: Int = 0) -> UInt32 {
        var checksum = CRC32C()
        bytes.withUnsafeBytes { all in
            checksum.add(UnsafeRawBufferPointer(rebasing: all[..<cut]))
            checksum.add(UnsafeRawBufferPointer(rebasing: all[cut...]))
        }
        return checksum.value
    }

    func bitByBit(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        }
        return ~crc
    }

    @Test func checksum_ofKnownVectors_isCorrect() {
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum(Array((0..<32).reversed())) == 0x113F_DB5C)
        #expect(checksum([]) == 0)
    }

    @Test func checksum_ofBytesInPieces_agreesWithTheWhole() {
        var random = SeededRandom(seed: 1)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let cut = Int.random(in: 0...count, using: &random)
            #expect(checksum(bytes, cutAt: cut) == bitByBit(bytes))
        }
    }
}
