// A picture for the decoders: the brightness of each point.

/// A greyscale picture: one byte per point, 0 for black, row after row without gaps.
package struct Picture: Hashable, Sendable {
    /// The most points along one side. The decoders count in 32 bits.
    package static let sideMax = 16_384
    /// The most points of a picture, enough for a phone's.
    package static let pointsMax = 50_000_000

    package let width: Int
    package let height: Int
    /// `width` × `height` bytes.
    package let luma: [UInt8]

    /// Creates a picture of these bytes, or nil if their number is not `width` × `height`.
    package init?(width: Int, height: Int, luma: [UInt8]) {
        guard Picture.isPossible(width: width, height: height), luma.count == width * height else { return nil }
        self.init(checkedWidth: width, height: height, luma: luma)
    }

    /// Copies a picture from a buffer in which rows are `stride` bytes apart, and points `step` bytes. Nil
    /// if the buffer does not hold all of it, or if rows overlap.
    package init?(width: Int, height: Int, stride: Int, step: Int = 1, bytes: UnsafeRawBufferPointer) {
        guard Picture.isPossible(width: width, height: height), (1...8).contains(step) else { return nil }
        let rowBytes = (width - 1) * step + 1
        let (before, overflows) = stride.multipliedReportingOverflow(by: height - 1)
        guard stride >= rowBytes, !overflows, bytes.count >= rowBytes, before <= bytes.count - rowBytes else {
            return nil
        }
        let luma = [UInt8](unsafeUninitializedCapacity: width * height) { points, count in
            for y in 0..<height {
                let row = y * stride
                if step == 1 {
                    let target = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(points)[(y * width)...])
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[row..<row + width]))
                } else {
                    for x in 0..<width { points[y * width + x] = bytes[row + x * step] }
                }
            }
            count = width * height
        }
        self.init(checkedWidth: width, height: height, luma: luma)
    }

    /// Creates a picture from values that the caller has checked.
    init(checkedWidth width: Int, height: Int, luma: [UInt8]) {
        assert(luma.count == width * height)
        (self.width, self.height, self.luma) = (width, height, luma)
    }

    /// Returns whether a picture may have this size. Callers check this before they allocate one.
    package static func isPossible(width: Int, height: Int) -> Bool {
        (1...sideMax).contains(width) && (1...sideMax).contains(height) && width * height <= pointsMax
    }

    package var points: Int { width * height }
}
