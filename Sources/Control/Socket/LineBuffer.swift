// Lines out of bytes that come in pieces.

/// What has come in and was not taken yet.
struct LineBuffer {
    /// No line is longer. An alarm with dates, codes and words of its own takes some 720 bytes of a backup: of those 11,000
    /// fit, and there are never more than 10,000. While it is understood, a line takes up to thirty times as much memory as it
    /// is long.
    static let bytesMax = 8 << 20
    /// What is longer takes a while to be understood.
    static let shortBytesMax = 64 << 10

    private var bytes: [UInt8] = []
    /// What is before this was taken.
    private var start = 0
    /// No line ends between `start` and this.
    private var searched = 0

    private var waitingCount: Int { bytes.count - start }

    /// Whether a line has begun and not ended.
    var isInsideLine: Bool { waitingCount > 0 }

    /// Whether what has begun is longer than that, and no line yet.
    func isLonger(than count: Int) -> Bool { searched == bytes.count && waitingCount > count }

    mutating func add(_ piece: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            (start, searched) = (0, searched - start)
        }
        bytes += piece
    }

    /// The next line, without its end, and empty if it is blank; nothing while there is none.
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
