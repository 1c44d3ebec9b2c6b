// Binary search in a sorted list.

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element for which `isBehind` is true, or `endIndex` if there is none.
    /// The elements for which it is false must come first.
    @inlinable package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
