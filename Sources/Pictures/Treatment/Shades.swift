// How often each shade is in a picture.

extension Picture {
    /// How many points have each of the 256 shades, of every fourth row and column.
    var histogram: [Int] {
        var counts = [Int](repeating: 0, count: 256)
        luma.withUnsafeBufferPointer { luma in
            for y in stride(from: 0, to: height, by: 4) {
                for x in stride(from: 0, to: width, by: 4) { counts[Int(luma[y * width + x])] += 1 }
            }
        }
        return counts
    }

    /// The shade that so many of a thousand points are not lighter than.
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
