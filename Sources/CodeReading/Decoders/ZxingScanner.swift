// Decodes with zxing-cpp, which is slower, good at skewed codes, and reads the kinds that zbar does not.

import CZxing
import Devices

/// A zxing-cpp reader without memory of earlier pictures.
package struct ZxingScanner {
    package init() {}

    private static let kinds: [Symbology: UInt32] = [
        .qr: UInt32(zxing_qr), .dataMatrix: UInt32(zxing_data_matrix), .aztec: UInt32(zxing_aztec),
        .pdf417: UInt32(zxing_pdf417), .ean13: UInt32(zxing_ean13), .ean8: UInt32(zxing_ean8),
        .upcA: UInt32(zxing_upc_a), .upcE: UInt32(zxing_upc_e), .code128: UInt32(zxing_code128),
        .code39: UInt32(zxing_code39), .code93: UInt32(zxing_code93), .codabar: UInt32(zxing_codabar),
        .itf: UInt32(zxing_itf),
    ]

    package func read(_ picture: Picture, wanted: Set<Symbology>) -> [FoundCode] {
        let kinds = wanted.reduce(0) { $0 | (ZxingScanner.kinds[$1] ?? 0) }
        var codes: [FoundCode] = []
        withUnsafeMutablePointer(to: &codes) { codes in
            picture.luma.withUnsafeBufferPointer { luma in
                // After a failure in the middle of a picture, the codes found so far count.
                _ = zxing_read(
                    luma.baseAddress, Int32(picture.width), Int32(picture.height), kinds, Int32(FoundCode.countMax),
                    codes
                ) { context, code in
                    guard let code = code?.pointee, let found = ZxingScanner.code(code) else { return }
                    context?.assumingMemoryBound(to: [FoundCode].self).pointee.append(found)
                }
            }
        }
        return codes
    }

    private static func code(_ code: zxing_code) -> FoundCode? {
        guard let symbology = kinds.first(where: { $0.value == code.kind })?.key else { return nil }
        let payload = [UInt8](UnsafeRawBufferPointer(start: code.bytes, count: code.count))
        let numbers = withUnsafeBytes(of: code.corners) { Array($0.bindMemory(to: Int32.self)).map(Int.init) }
        let corners = stride(from: 0, to: 8, by: 2).map { (x: numbers[$0], y: numbers[$0 + 1]) }
        return FoundCode(symbology, payload: payload, corners: corners)
    }
}
