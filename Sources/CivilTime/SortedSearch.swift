// Finding a place in a list that is in order.

extension RandomAccessCollection where Index == Int {
    /// The index of the first element that lies behind the border, as all others after it do; `endIndex` where none does.
    @inlinable package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
