// Decodes with zxing-cpp, which is slower, good at skewed codes, and reads the kinds that zbar does not.

import CZxing
import Devices

/// A zxing-cpp reader without memory of earlier pictures.
package struct ZxingScanner {
    package init() {}

    package func read(_ picture: Picture, wanted: Set<Symbology>) -> [FoundCode] {
        let kinds = wanted.reduce(0) { $0 | UInt32($1.bit) }
        var codes: [FoundCode] = []
        withUnsafeMutablePointer(to: &codes) { codes in
            picture.luma.withUnsafeBufferPointer { luma in
                // After a failure in the middle of a picture, the codes found so far count.
                _ = zxing_read(
                    luma.baseAddress, Int32(picture.width), Int32(picture.height), kinds, Int32(FoundCode.countMax),
                    codes
                ) { context, code in
                    guard let code = code?.pointee else { return }
                    context?.assumingMemoryBound(to: [FoundCode].self).pointee.append(ZxingScanner.code(code))
                }
            }
        }
        return codes
    }

    private static func code(_ code: zxing_code) -> FoundCode {
        let payload = [UInt8](UnsafeRawBufferPointer(start: code.bytes, count: code.count))
        let numbers = withUnsafeBytes(of: code.corners) { Array($0.bindMemory(to: Int32.self)).map(Int.init) }
        let corners = stride(from: 0, to: 8, by: 2).map { (x: numbers[$0], y: numbers[$0 + 1]) }
        return FoundCode(Symbology.allCases[Int(code.kind)], payload: payload, corners: corners)
    }
}
