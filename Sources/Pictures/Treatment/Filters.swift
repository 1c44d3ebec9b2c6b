// Pictures made smoother, sharper and inverse.

extension Picture {
    /// The mean of each point's neighbourhood of five by five, the nearer counting for more.
    package func smoothed() -> Picture {
        guard width > 4, height > 4 else { return self }
        var sums = [UInt16](repeating: 0, count: points)
        var smooth = luma
        luma.withUnsafeBufferPointer { luma in
            sums.withUnsafeMutableBufferPointer { sums in
                // Down each column first, then along each row; the two outermost points stay as they are.
                for y in 2..<height - 2 {
                    let at = y * width
                    for x in at..<at + width {
                        let outer = UInt16(luma[x - 2 * width]) &+ UInt16(luma[x + 2 * width])
                        let inner = UInt16(luma[x - width]) &+ UInt16(luma[x + width])
                        sums[x] = outer &+ 4 &* inner &+ 6 &* UInt16(luma[x])
                    }
                }
                smooth.withUnsafeMutableBufferPointer { smooth in
                    for y in 2..<height - 2 {
                        let at = y * width
                        for x in at + 2..<at + width - 2 {
                            let outer = sums[x - 2] &+ sums[x + 2]
                            let inner = sums[x - 1] &+ sums[x + 1]
                            // At most 16 × 16 × 255, which 16 bits hold.
                            smooth[x] = UInt8(truncatingIfNeeded: (outer &+ 4 &* inner &+ 6 &* sums[x] &+ 128) >> 8)
                        }
                    }
                }
            }
        }
        return Picture(checkedWidth: width, height: height, luma: smooth)
    }

    /// With every edge steeper: what a blur has taken from small modules comes back, and noise grows.
    package func sharpened() -> Picture {
        let smooth = smoothed().luma
        let sharp = [UInt8](unsafeUninitializedCapacity: points) { sharp, count in
            luma.withUnsafeBufferPointer { luma in
                smooth.withUnsafeBufferPointer { smooth in
                    for point in 0..<points {
                        let value = 4 &* Int16(luma[point]) &- 3 &* Int16(smooth[point])
                        sharp[point] = UInt8(truncatingIfNeeded: min(max(value, 0), 255))
                    }
                }
            }
            count = points
        }
        return Picture(checkedWidth: width, height: height, luma: sharp)
    }

    package func inverted() -> Picture {
        Picture(checkedWidth: width, height: height, luma: luma.map { ~$0 })
    }
}
