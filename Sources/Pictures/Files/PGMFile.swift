// PGM pictures: a line of numbers, then a byte or two for each point.

extension Picture {
    init(pgm: UnsafeRawBufferPointer) throws(PictureFailure) {
        var header = PGMHeader(rest: pgm[2...])
        guard let width = header.number(), let height = header.number(), let white = header.number(),
            (1...65_535).contains(white), header.endsWithSpace()
        else { throw .broken("its first line is not three numbers") }
        guard Picture.isPossible(width: width, height: height) else { throw .size(width: width, height: height) }
        let bytesEach = white > 255 ? 2 : 1
        let points = width * height
        let bytes = UnsafeRawBufferPointer(rebasing: header.rest)
        guard bytes.count >= points * bytesEach else { throw .cut }
        let luma = (0..<points).map { point in
            let value = bytesEach == 1 ? Int(bytes[point]) : Int(bytes[2 * point]) << 8 | Int(bytes[2 * point + 1])
            return UInt8(min(value, white) * 255 / white)
        }
        self.init(checkedWidth: width, height: height, luma: luma)
    }
}

private struct PGMHeader {
    var rest: Slice<UnsafeRawBufferPointer>

    /// The next number, behind spaces and comments; nil where there is none, or one of more digits than any that fits.
    mutating func number() -> Int? {
        skipSpace()
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private mutating func skipSpace() {
        while let first = rest.first {
            if first == UInt8(ascii: "#") {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if PGMHeader.isSpace(first) {
                rest = rest.dropFirst()
            } else {
                return
            }
        }
    }

    /// One space, and no more, stands before the points.
    mutating func endsWithSpace() -> Bool {
        guard let first = rest.popFirst() else { return false }
        return PGMHeader.isSpace(first)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
