// The sheet as a PNG picture, for printers and phones that show no SVG.

import CPng
import CodeSheets

extension QRSheet {
    /// The page in points, 150 per inch.
    static let (widthPoints, heightPoints) = (1240, 1754)
    fileprivate static let pointsPerMillimetre = 150 / 25.4

    /// True if the picture has a shape for each letter of the label. It has a box for any other.
    package var canDrawLabel: Bool { PlainLetter.canDraw(label) }

    /// Returns the page as a PNG picture, or nil without enough memory.
    package func png() -> [UInt8]? {
        var page = Page()
        page.draw(symbol)
        page.draw(label, base: QRSheet.points(QRSheet.labelBase), scaleMax: 10)
        page.draw(QRSheet.purpose, base: QRSheet.points(QRSheet.purposeBase), scaleMax: 3)
        page.draw(fingerprint, base: QRSheet.points(QRSheet.fingerprintBase), scaleMax: 3)
        return page.png()
    }

    fileprivate static func points(_ millimetres: Double) -> Int { Int(millimetres * pointsPerMillimetre) }
}

/// A page of points, white at first.
private struct Page {
    private var points = [UInt8](repeating: 255, count: QRSheet.widthPoints * QRSheet.heightPoints)

    mutating func draw(_ symbol: QRSymbol) {
        let modules = symbol.side + 2 * QRSheet.quietModules
        let module = QRSheet.points(QRSheet.codeSide) / modules
        let left = (QRSheet.widthPoints - module * symbol.side) / 2
        let top = QRSheet.points(QRSheet.codeTop) + module * QRSheet.quietModules
        for row in 0..<symbol.side {
            for column in 0..<symbol.side where symbol.isDark(column: column, row: row) {
                fill(left + column * module, top + row * module, module)
            }
        }
    }

    /// Draws centred text as large as possible, with its lower end at `base`. Text that never fits is cut
    /// off.
    mutating func draw(_ text: String, base: Int, scaleMax: Int) {
        let advance = PlainLetter.width + 1
        let room = QRSheet.points(QRSheet.codeSide)
        let letters = PlainLetter.letters(text).prefix(room / advance)
        guard !letters.isEmpty else { return }
        let scale = min(scaleMax, room / (letters.count * advance))
        var left = (QRSheet.widthPoints - letters.count * advance * scale) / 2
        for letter in letters {
            for (row, bits) in letter.rows.enumerated() {
                for column in 0..<PlainLetter.width where bits >> (PlainLetter.width - 1 - column) & 1 == 1 {
                    fill(left + column * scale, base + (row - PlainLetter.height) * scale, scale)
                }
            }
            left += advance * scale
        }
    }

    private mutating func fill(_ left: Int, _ top: Int, _ side: Int) {
        for y in top..<top + side {
            for x in left..<left + side { points[y * QRSheet.widthPoints + x] = 0 }
        }
    }

    func png() -> [UInt8]? {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(QRSheet.widthPoints)
        image.height = UInt32(QRSheet.heightPoints)
        defer { png_image_free(&image) }
        // The upper bound of the size. Only the bytes in use are returned.
        var size = points.count + points.count / 100 + 4096
        var bytes = [UInt8](repeating: 0, count: size)
        guard png_image_write_to_memory(&image, &bytes, &size, 0, points, 0, nil) != 0 else { return nil }
        // The size of the page stands before the picture itself, after the signature and the header.
        return Array(bytes[..<Page.headerBytes]) + Page.sizeChunk + Array(bytes[Page.headerBytes..<size])
    }

    private static let headerBytes = 33

    /// The chunk with the size of a point. Without it a printer does not know that the page is A4.
    private static let sizeChunk: [UInt8] = {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) } }
        let perMetre = bytes(UInt32((QRSheet.pointsPerMillimetre * 1000).rounded()))
        let chunk = Array("pHYs".utf8) + perMetre + perMetre + [1]
        return bytes(UInt32(chunk.count - 4)) + chunk + bytes(checksum(chunk))
    }()

    /// Returns the CRC-32 of a chunk.
    private static func checksum(_ chunk: [UInt8]) -> UInt32 {
        ~chunk.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
