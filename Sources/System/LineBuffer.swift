// Splits received bytes into lines.

/// Received bytes that have not been returned as lines yet.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    /// The bytes from `start` to this index contain no line end.
    private var searched = 0

    package init() {}

    private var waitingCount: Int { bytes.count - start }

    /// True if a line has begun and not ended.
    package var isInsideLine: Bool { waitingCount > 0 }

    package func isLonger(than count: Int) -> Bool { searched == bytes.count && waitingCount > count }

    package mutating func add(_ piece: ArraySlice<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            (start, searched) = (0, searched - start)
        }
        bytes += piece
    }

    /// Returns the next line without its end, or nil if none is complete. A blank line is returned empty.
    package mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        let line = bytes[start..<end]
        (start, searched) = (end + 1, end + 1)
        return line.contains { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 } ? line : []
    }
}
