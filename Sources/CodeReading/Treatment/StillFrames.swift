// The mean of frames without movement, which in the dark has far less noise than one frame.

/// The sum of the frames since the last movement.
struct StillFrames {
    private var sums: [UInt16] = []
    private var count = 0
    private var width = 0
    private var thumbnail: [Int32] = []

    /// More frames improve the mean little, and a code that comes into view would appear in it later.
    private static let countMax = 8

    /// Adds a frame. Returns the mean, or nil if there is only this frame. A movement begins a new mean.
    mutating func add(_ frame: Picture) -> Picture? {
        let thumbnail = StillFrames.thumbnail(frame)
        if frame.width != width || frame.points != sums.count || hasMoved(thumbnail) {
            (sums, count, width) = (frame.luma.map(UInt16.init), 1, frame.width)
            self.thumbnail = thumbnail
            return nil
        }
        self.thumbnail = thumbnail
        if count == StillFrames.countMax { forgetHalf() }
        frame.luma.withUnsafeBufferPointer { luma in
            sums.withUnsafeMutableBufferPointer { sums in
                for point in 0..<luma.count { sums[point] &+= UInt16(luma[point]) }
            }
        }
        count += 1
        return mean(frame)
    }

    private mutating func forgetHalf() {
        sums.withUnsafeMutableBufferPointer { sums in
            for point in 0..<sums.count { sums[point] >>= 1 }
        }
        count /= 2
    }

    private func mean(_ frame: Picture) -> Picture {
        let factor = UInt32(65_536 / count)
        let luma = [UInt8](unsafeUninitializedCapacity: sums.count) { luma, filled in
            sums.withUnsafeBufferPointer { sums in
                for point in 0..<sums.count {
                    luma[point] = UInt8(truncatingIfNeeded: (UInt32(sums[point]) &* factor &+ 32_768) >> 16)
                }
            }
            filled = sums.count
        }
        return Picture(checkedWidth: frame.width, height: frame.height, luma: luma)
    }

    /// Returns the sum of each 4 × 4 points.
    private static func thumbnail(_ frame: Picture) -> [Int32] {
        let (columns, rows) = (frame.width / 4, frame.height / 4)
        var sums = [Int32](repeating: 0, count: columns * rows)
        frame.luma.withUnsafeBufferPointer { luma in
            sums.withUnsafeMutableBufferPointer { sums in
                for y in 0..<rows * 4 {
                    let (row, target) = (y * frame.width, y / 4 * columns)
                    for x in 0..<columns {
                        let at = row + 4 * x
                        let left = UInt16(luma[at]) &+ UInt16(luma[at + 1])
                        let right = UInt16(luma[at + 2]) &+ UInt16(luma[at + 3])
                        sums[target + x] &+= Int32(left &+ right)
                    }
                }
            }
        }
        return sums
    }

    /// Returns whether a part of the picture differs from the frame before by more than noise.
    private func hasMoved(_ new: [Int32]) -> Bool {
        guard new.count == thumbnail.count else { return true }
        let columns = width / 4
        let side = 16
        guard columns >= side, new.count / columns >= side else { return true }
        var parts: [Int32] = []
        for top in stride(from: 0, through: new.count / columns - side, by: side) {
            for left in stride(from: 0, through: columns - side, by: side) {
                var sum: Int32 = 0
                for y in top..<top + side {
                    for x in y * columns + left..<y * columns + left + side { sum &+= abs(new[x] &- thumbnail[x]) }
                }
                parts.append(sum)
            }
        }
        parts.sort()
        // The quarter of the parts that changed least gives the noise, since it counts as still.
        let (usual, most) = (parts[parts.count / 4], parts[parts.count - 1])
        let shade = Int32(side * side * 16)
        return most > 2 * usual + shade || usual > 4 * shade
    }
}
