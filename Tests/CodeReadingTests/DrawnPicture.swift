// The pictures with codes that the tests draw.

import CQrencode
import CodeReading
import CodeSheets
import Testing

/// A picture under construction.
struct DrawnPicture {
    let width: Int
    let height: Int
    private(set) var luma: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        luma = [UInt8](repeating: 255, count: width * height)
    }

    /// Draws a code with its upper left corner at this point, including its light modules.
    mutating func draw(_ symbol: Modules, left: Int, top: Int, module: Int, isInverse: Bool = false) {
        for y in 0..<symbol.side * module {
            for x in 0..<symbol.side * module {
                let isDark = symbol.isDark(x / module, y / module) != isInverse
                luma[(top + y) * width + left + x] = isDark ? 0 : 255
            }
        }
    }

    mutating func fill(left: Int, top: Int, side: Int, _ shade: UInt8) {
        for y in top..<top + side {
            for x in left..<left + side { luma[y * width + x] = shade }
        }
    }

    func picture() throws -> Picture { try #require(Picture(width: width, height: height, luma: luma)) }

    /// Returns a picture with one code.
    static func of(_ symbol: Modules, module: Int = 4, isInverse: Bool = false) throws -> Picture {
        let side = (symbol.side + 8) * module
        var drawing = DrawnPicture(width: side, height: side)
        if isInverse { drawing.fill(left: 0, top: 0, side: side, 0) }
        drawing.draw(symbol, left: 4 * module, top: 4 * module, module: module, isInverse: isInverse)
        return try drawing.picture()
    }
}

/// The modules of a QR code, from libqrencode in all its modes.
struct Modules {
    let side: Int
    private let dark: [Bool]

    func isDark(_ column: Int, _ row: Int) -> Bool { dark[row * side + column] }

    /// The encoding of a part of a payload.
    enum Part {
        case bytes([UInt8])
        case kanji([UInt8])
        case digits(String)
        case letters(String)
        case eci(UInt32)
    }

    init(_ payload: [UInt8]) throws { try self.init([.bytes(payload)]) }

    init(_ parts: [Part]) throws {
        let input = try #require(QRinput_new2(0, QR_ECLEVEL_L))
        defer { QRinput_free(input) }
        for part in parts {
            let status =
                switch part {
                case .bytes(let bytes): QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes)
                case .kanji(let bytes): QRinput_append(input, QR_MODE_KANJI, Int32(bytes.count), bytes)
                case .digits(let text): QRinput_append(input, QR_MODE_NUM, Int32(text.utf8.count), Array(text.utf8))
                case .letters(let text): QRinput_append(input, QR_MODE_AN, Int32(text.utf8.count), Array(text.utf8))
                case .eci(let number): QRinput_appendECIheader(input, number)
                }
            try #require(status == 0)
        }
        let code = try #require(QRcode_encodeInput(input))
        defer { QRcode_free(code) }
        self.init(code.pointee)
    }

    private init(_ code: QRcode) {
        side = Int(code.width)
        dark = (0..<side * side).map { code.data[$0] & 1 == 1 }
    }

    /// Returns the codes of a message that is spread over several.
    static func sequence(_ payload: [UInt8], version: Int32) throws -> [Modules] {
        let list = try #require(QRcode_encodeDataStructured(Int32(payload.count), payload, version, QR_ECLEVEL_L))
        defer { QRcode_List_free(list) }
        var codes: [Modules] = []
        var next: UnsafeMutablePointer<QRcode_List>? = list
        while let entry = next {
            codes.append(Modules(entry.pointee.code.pointee))
            next = entry.pointee.next
        }
        return codes
    }
}
