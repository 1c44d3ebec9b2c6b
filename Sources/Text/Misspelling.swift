// Finds near misses, for "did you mean".

extension String {
    /// Returns whether the names differ by at most two slips of typing, or one if either is under five
    /// bytes. A slip is a letter missing, added, changed, or swapped with the next. Case is ignored.
    package func isNearly(_ name: String) -> Bool {
        let (a, b) = (Array(lowercased().utf8), Array(name.lowercased().utf8))
        let slips = Swift.min(a.count, b.count) < 5 ? 1 : 2
        guard abs(a.count - b.count) <= slips, Swift.max(a.count, b.count) < 40 else { return false }
        // The rows of Damerau's edit distance between the prefixes of both names.
        var above: [Int] = []
        var row = Array(0...b.count)
        for i in a.indices {
            var next = [i + 1]
            for j in b.indices {
                var slips = Swift.min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { slips = Swift.min(slips, above[j - 1] + 1) }
                next.append(slips)
            }
            (above, row) = (row, next)
        }
        return row[b.count] <= slips
    }
}
