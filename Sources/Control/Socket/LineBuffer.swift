// Lines out of bytes that come in pieces.

/// What has come in and was not taken yet.
struct LineBuffer {
    /// No line is longer: as many alarms as Rooster keeps fit.
    static let bytesMax = 64 << 20
    /// What is longer takes a while to be understood.
    static let shortBytesMax = 64 << 10

    private var bytes: [UInt8] = []
    /// No line ends before this.
    private var searched = 0

    /// Whether a line has begun and not ended.
    var isInsideLine: Bool { !bytes.isEmpty }

    /// Whether the line that has begun is too long to be one.
    var isOverflowing: Bool { searched > LineBuffer.bytesMax }

    /// Whether the line that has begun takes much room.
    var isLong: Bool { searched > LineBuffer.shortBytesMax }

    mutating func add(_ piece: some Sequence<UInt8>) { bytes += piece }

    /// The next line, without its end; nothing while there is none. Blank lines are none.
    mutating func next() -> [UInt8]? {
        while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(bytes[..<end])
            bytes.removeFirst(end + 1)
            searched = 0
            if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { return line }
        }
        searched = bytes.count
        return nil
    }
}
