// A QR code as dark and light squares.

import CQrencode
import Glibc

package struct QRSymbol: Hashable, Sendable {
    package let side: Int
    private let dark: [Bool]

    package enum Failure: Error, Hashable, Sendable {
        case empty
        /// The payload does not fit into a QR code, which holds 2,953 bytes.
        case tooLong(bytes: Int)
        case system(errorNumber: Int32)
    }

    /// Creates the smallest code for the payload, with the most redundancy that fits into that size.
    package init(payload: [UInt8]) throws(Failure) {
        guard !payload.isEmpty else { throw .empty }
        let smallest = try EncodedSymbol(payload, version: 0, level: QR_ECLEVEL_L)
        var best = smallest
        for level in [QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H] {
            do {
                let stronger = try EncodedSymbol(payload, version: smallest.version, level: level)
                guard stronger.version == smallest.version else { break }
                best = stronger
            } catch .tooLong {
                break
            }
        }
        (side, dark) = (best.side, best.dark)
    }

    package func isDark(column: Int, row: Int) -> Bool { dark[row * side + column] }
}

private struct EncodedSymbol {
    let version: Int32
    let side: Int
    let dark: [Bool]

    /// Encodes in that version, or in a larger one if the payload does not fit. 0 means the smallest.
    init(_ payload: [UInt8], version: Int32, level: QRecLevel) throws(QRSymbol.Failure) {
        errno = 0
        guard let code = EncodedSymbol.encode(payload, version: version, level: level) else {
            throw errno == ERANGE ? .tooLong(bytes: payload.count) : .system(errorNumber: errno)
        }
        defer { QRcode_free(code) }
        self.version = code.pointee.version
        side = Int(code.pointee.width)
        dark = (0..<side * side).map { code.pointee.data[$0] & 1 == 1 }
    }

    private static func encode(_ payload: [UInt8], version: Int32, level: QRecLevel) -> UnsafeMutablePointer<QRcode>? {
        // Text takes less space in modes that suit its letters. A payload with a zero byte stays bytes.
        guard payload.contains(0) else {
            return (payload + [0]).withUnsafeBytes { bytes in
                QRcode_encodeString(bytes.assumingMemoryBound(to: CChar.self).baseAddress, version, level, QR_MODE_8, 1)
            }
        }
        return QRcode_encodeData(Int32(payload.count), payload, version, level)
    }
}
