// Brightness and sharpness of a picture, for the camera lamp and for aiming.

/// The measurements of a picture, with or without a code. At least three of four rows are skipped.
struct Measures {
    /// The mean shade, from 0 for black to 100 for white.
    let light: Int
    /// True if 99 % of the points are darker than a quarter of white, so that no paper is visible.
    let isDark: Bool
    /// The part of an edge's height that lies within two points, from 0 for a covered lens to 100.
    let sharpness: Int

    init(_ picture: Picture) {
        let histogram = picture.histogram
        let count = max(1, histogram.reduce(0, +))
        let sum = histogram.enumerated().reduce(0) { $0 + $1.offset * $1.element }
        light = sum * 100 / (count * 255)
        isDark = Picture.shade(histogram, perMille: 990) < 64
        let contrast = Picture.shade(histogram, perMille: 990) - Picture.shade(histogram, perMille: 10)
        sharpness = Measures.sharpness(picture, edge: max(24, contrast * 2 / 5))
    }

    /// Returns the sharpness at the sharpest tenth of the edges, since much of any room is smooth. An edge
    /// is a change of shade by at least `edge` within nine points of a row. A sharp edge changes within two
    /// points; one out of focus needs all nine.
    private static func sharpness(_ picture: Picture, edge: Int) -> Int {
        let reach = 8
        guard picture.width > reach else { return 0 }
        var counts = [Int](repeating: 0, count: 101)
        picture.luma.withUnsafeBufferPointer { luma in
            for y in stride(from: 0, to: picture.height, by: 8) {
                let row = y * picture.width
                for left in stride(from: row, to: row + picture.width - reach, by: reach / 2) {
                    var (darkest, lightest, steepest) = (Int(luma[left]), Int(luma[left]), 0)
                    for x in left + 1...left + reach {
                        let shade = Int(luma[x])
                        darkest = min(darkest, shade)
                        lightest = max(lightest, shade)
                        if x > left + 1 { steepest = max(steepest, abs(shade - Int(luma[x - 2]))) }
                    }
                    if lightest - darkest >= edge { counts[min(100, steepest * 100 / (lightest - darkest))] += 1 }
                }
            }
        }
        let edges = counts.reduce(0, +)
        guard edges > 0 else { return 0 }
        var rest = edges / 10
        for value in stride(from: 100, through: 0, by: -1) {
            rest -= counts[value]
            if rest < 0 {
                // Even a slope over all nine points has a quarter of its height within two.
                return max(0, (value - 25) * 100 / 75)
            }
        }
        return 0
    }
}

extension Picture {
    /// The number of points with each of the 256 shades, from every fourth row and column.
    var histogram: [Int] {
        var counts = [Int](repeating: 0, count: 256)
        luma.withUnsafeBufferPointer { luma in
            for y in stride(from: 0, to: height, by: 4) {
                for x in stride(from: 0, to: width, by: 4) { counts[Int(luma[y * width + x])] += 1 }
            }
        }
        return counts
    }

    /// Returns the shade that `perMille` of a thousand points do not exceed.
    static func shade(_ histogram: [Int], perMille: Int) -> Int {
        let wanted = histogram.reduce(0, +) * perMille / 1000
        var sum = 0
        for (shade, count) in histogram.enumerated() {
            sum += count
            if sum > wanted { return shade }
        }
        return 255
    }
}
