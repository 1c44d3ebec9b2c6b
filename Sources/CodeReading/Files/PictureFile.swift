// Decodes picture files: PNG, JPEG and PGM.

import CPng

extension Picture {
    /// Decodes a file. The first bytes give its kind. If the declared size is too large, nothing is
    /// allocated.
    package init(file: [UInt8]) throws(PictureFailure) {
        let picture = file.withUnsafeBytes { bytes in Result { () throws(PictureFailure) in try Picture(bytes) } }
        self = try picture.get()
    }

    private init(_ file: UnsafeRawBufferPointer) throws(PictureFailure) {
        if file.starts(with: [0xFF, 0xD8]) {
            self = try JPEGReader().picture(file)
        } else if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = try Picture(png: file)
        } else if file.starts(with: [0x50, 0x35]) {
            self = try Picture(pgm: file)
        } else {
            throw .unknownKind
        }
    }
}

package enum PictureFailure: Error, Hashable, Sendable {
    /// The first bytes belong to none of the supported kinds.
    case unknownKind
    /// The declared size is too large or zero. The points were not read.
    case size(width: Int, height: Int)
    /// The file ends too early.
    case cut
    /// The file is invalid, for the reason that its library gives.
    case broken(String)
}

extension PictureFailure: CustomStringConvertible {
    /// A predicate that follows the name of a file.
    package var description: String {
        switch self {
        case .unknownKind: "is not a PNG, JPEG or PGM picture"
        case .size(let width, let height):
            "has \(width) × \(height) points, but at most \(Picture.pointsMax), and \(Picture.sideMax) on a side, are read"
        case .cut: "is incomplete"
        case .broken(let reason): "is damaged (\(reason))"
        }
    }
}

extension Picture {
    /// Decodes the brightness of a PNG picture. Transparent points show a white background.
    init(png: UnsafeRawBufferPointer) throws(PictureFailure) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, png.baseAddress, png.count) != 0 else {
            throw Picture.failure(image)
        }
        let (width, height) = (Int(image.width), Int(image.height))
        guard Picture.isPossible(width: width, height: height) else { throw .size(width: width, height: height) }
        image.format = 0  // PNG_FORMAT_GRAY: one byte per point
        var luma = [UInt8](repeating: 0, count: width * height)
        var white = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&image, &white, &luma, 0, nil) != 0 else { throw Picture.failure(image) }
        self.init(checkedWidth: width, height: height, luma: luma)
    }

    private static func failure(_ image: png_image) -> PictureFailure {
        let text = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        // libpng's message when the data ends too early.
        return text.contains("read beyond end of data") ? .cut : .broken(text)
    }
}

extension Picture {
    init(pgm: UnsafeRawBufferPointer) throws(PictureFailure) {
        var header = PGMHeader(rest: pgm[2...])
        guard let width = header.number(), let height = header.number(), let white = header.number(),
            (1...65_535).contains(white), header.endsWithSpace()
        else { throw .broken("its first line does not have three numbers") }
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

    /// Reads the next number after spaces and comments. Nil if there is none, or if it has over nine digits.
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

    /// Consumes the one white space byte before the points.
    mutating func endsWithSpace() -> Bool {
        guard let first = rest.popFirst() else { return false }
        return PGMHeader.isSpace(first)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
