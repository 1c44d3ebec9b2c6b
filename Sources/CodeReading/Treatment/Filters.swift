// Filters: smoother, sharper, inverted, smaller and larger pictures.

extension Picture {
    /// Returns the weighted mean of each point's 5 × 5 neighbourhood. Nearer points count more.
    package func smoothed() -> Picture {
        guard width > 4, height > 4 else { return self }
        var sums = [UInt16](repeating: 0, count: points)
        var smooth = luma
        luma.withUnsafeBufferPointer { luma in
            sums.withUnsafeMutableBufferPointer { sums in
                // Columns come first, then rows. The two outermost rows and columns stay unchanged.
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

    /// Returns the picture with steeper edges. Small blurred modules become visible again, and noise grows.
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

extension Picture {
    /// Returns the picture at half the width and height. Each point is the mean of four, which halves the
    /// noise. Nil if no point would be left.
    package func halved() -> Picture? {
        let (columns, rows) = (width / 2, height / 2)
        guard columns > 0, rows > 0 else { return nil }
        let half = [UInt8](unsafeUninitializedCapacity: columns * rows) { half, count in
            luma.withUnsafeBufferPointer { luma in
                for y in 0..<rows {
                    let (top, bottom) = (2 * y * width, (2 * y + 1) * width)
                    for x in 0..<columns {
                        let upper = UInt16(luma[top + 2 * x]) &+ UInt16(luma[top + 2 * x + 1])
                        let lower = UInt16(luma[bottom + 2 * x]) &+ UInt16(luma[bottom + 2 * x + 1])
                        half[y * columns + x] = UInt8(truncatingIfNeeded: (upper &+ lower &+ 2) >> 2)
                    }
                }
            }
            count = columns * rows
        }
        return Picture(checkedWidth: columns, height: rows, luma: half)
    }

    /// Returns the picture at twice the width and height, interpolated. Nil if that would be too large.
    package func doubled() -> Picture? {
        let (columns, rows) = (width * 2, height * 2)
        guard Picture.isPossible(width: columns, height: rows) else { return nil }
        var line = [UInt16](repeating: 0, count: width + 2)
        let double = [UInt8](unsafeUninitializedCapacity: columns * rows) { double, count in
            luma.withUnsafeBufferPointer { luma in
                line.withUnsafeMutableBufferPointer { line in
                    for y in 0..<rows {
                        // Each new point is a quarter step from one old point, and three quarters from the
                        // next.
                        let near = y / 2 * width
                        let far = min(max(y / 2 - 1 + y % 2 * 2, 0), height - 1) * width
                        for x in 0..<width { line[x + 1] = 3 &* UInt16(luma[near + x]) &+ UInt16(luma[far + x]) }
                        (line[0], line[width + 1]) = (line[1], line[width])
                        let row = y * columns
                        for x in 0..<width {
                            let middle = 3 &* line[x + 1] &+ 8
                            double[row + 2 * x] = UInt8(truncatingIfNeeded: (middle &+ line[x]) >> 4)
                            double[row + 2 * x + 1] = UInt8(truncatingIfNeeded: (middle &+ line[x + 2]) >> 4)
                        }
                    }
                }
            }
            count = columns * rows
        }
        return Picture(checkedWidth: columns, height: rows, luma: double)
    }
}
