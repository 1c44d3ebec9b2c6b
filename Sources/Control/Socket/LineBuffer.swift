// Lines out of bytes that come in pieces.

/// Received bytes, and the lines in them.
struct LineBuffer {
    /// The bound on a line. An alarm with dates, codes and texts takes some 720 bytes of a backup: 11,000 of those fit, and there
    /// are never more than 10,000. While it is parsed, a line takes up to thirty times its length in memory.
    static let bytesMax = 8 << 20
    /// A longer line takes a while to parse.
    static let shortBytesMax = 64 << 10

    private var bytes: [UInt8] = []
    private var start = 0
    /// No line ends between `start` and this.
    private var searched = 0

    private var waitingCount: Int { bytes.count - start }

    /// Whether a line has begun and not ended.
    var isInsideLine: Bool { waitingCount > 0 }

    func isLonger(than count: Int) -> Bool { searched == bytes.count && waitingCount > count }

    mutating func add(_ piece: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            (start, searched) = (0, searched - start)
        }
        bytes += piece
    }

    /// The next line without its end, empty if it is blank; nil while none is complete.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            return nil
        }
        let line = bytes[start..<end]
        (start, searched) = (end + 1, end + 1)
        return line.contains { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 } ? line : []
    }
}
