// The tests of payloads: zbar and zxing-cpp read the exact bytes of a code, or none.

import Oracles
import Testing

@testable import CodeReading

@Suite struct PayloadTests {
    private let zbar = ZbarScanner()
    private let zxing = ZxingScanner()

    /// Returns the payloads that each decoder reads in a clean picture of a code.
    private func read(_ modules: Modules, module: Int = 3) throws -> (zbar: [[UInt8]], zxing: [[UInt8]]) {
        let picture = try DrawnPicture.of(modules, module: module)
        return (
            zbar.read(picture, wanted: [.qr]).map(\.payload), zxing.read(picture, wanted: [.qr]).map(\.payload)
        )
    }

    @Test func bytes_areReadAsTheyWereEncoded() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<Thoroughness.pick(150, full: 3000) {
            let count = Int.random(in: 1...Int.random(in: 1...120), using: &random)
            let payload = Payloads.random(count, &random)
            try expect([.bytes(payload)], areReadAs: payload)
        }
    }

    @Test func parts_areReadAsTheyWereEncoded() throws {
        for payload in Payloads.awkward { try expect([.bytes(payload)], areReadAs: payload) }
        // Shift-JIS in the Kanji mode is read as the encoded bytes.
        let kanji: [UInt8] = [0x93, 0x5F, 0xE4, 0xAA, 0x88, 0x9F]
        try expect([.kanji(kanji)], areReadAs: kanji)
        try expect(
            [.digits("0123456789"), .letters("ROOSTER $%*+-./:"), .bytes([0, 0xFF, 0x80]), .kanji([0x93, 0x5F])],
            areReadAs: Array("0123456789ROOSTER $%*+-./:".utf8) + [0, 0xFF, 0x80, 0x93, 0x5F])
    }

    private func expect(_ parts: [Modules.Part], areReadAs payload: [UInt8]) throws {
        let both = try read(try Modules(parts))
        #expect(both.zbar == [payload])
        #expect(both.zxing == [payload])
    }

    @Test func longestPayload_isRead() throws {
        var random = SeededRandom(seed: 2)
        let payload = Payloads.random(2953, &random)
        let both = try read(try Modules(payload), module: 4)
        #expect(both.zbar == [payload] || both.zbar == [])
        #expect(both.zxing == [payload])
    }

    @Test func emptyPayload_isNoCode() throws {
        // No mode encodes an empty text. The test compares a one-digit payload instead.
        let picture = try DrawnPicture.of(try Modules([.digits("0")]))
        var reader = CodeReader()
        #expect(reader.read(picture, wanted: [.qr], budgetMilliseconds: 600_000).codes.map(\.payload) == [[0x30]])
        #expect(reader.read(picture, wanted: [], budgetMilliseconds: 600_000).codes.isEmpty)
    }

    /// A declared character set must not change the bytes.
    @Test(arguments: [3, 4, 20, 25, 26, 27, 899] as [UInt32])
    func declaredCharacterSets_changeNoByte(number: UInt32) throws {
        for payload in [
            Array("Grüße".utf8), [0x93, 0x5F], [0x5C, 0x7E], [0, 0x41], [0xE4, 0x41], Array("plain".utf8),
        ] {
            let modules = try Modules([.eci(number), .bytes(payload)])
            let both = try read(modules)
            #expect(both.zxing == [payload])
            var reader = CodeReader()
            let picture = try DrawnPicture.of(modules)
            #expect(reader.read(picture, wanted: [.qr], budgetMilliseconds: 600_000).codes.map(\.payload) == [payload])
            // zbar translates the bytes. Such a payload must be marked as perhaps translated.
            for read in both.zbar where read != payload {
                #expect(FoundCode(.qr, payload: read, corners: []).mayBeTranslated)
            }
        }
    }

    /// A part of a message is not a payload, and the joined message is longer than any code that owners
    /// print.
    @Test func messagesOverSeveralCodes_areNotRead() throws {
        let codes = try Modules.sequence(
            Array("A message that is spread over several codes, each with a part".utf8), version: 2)
        try #require(codes.count > 1)
        for code in codes {
            let both = try read(code, module: 4)
            #expect(both.zbar.isEmpty)
            #expect(both.zxing.isEmpty)
        }
        let side = (codes[0].side + 8) * 4
        var drawing = DrawnPicture(width: side * codes.count, height: side)
        for (index, code) in codes.enumerated() { drawing.draw(code, left: index * side + 16, top: 16, module: 4) }
        let picture = try drawing.picture()
        #expect(zbar.read(picture, wanted: [.qr]).isEmpty)
        #expect(zxing.read(picture, wanted: [.qr]).isEmpty)
    }
}

/// Payloads that decoders tend to translate.
enum Payloads {
    static let awkward: [[UInt8]] = [
        [0], [0, 0, 0], [0x41, 0, 0x42], Array("Grüße, 早上好 ⏰".utf8), [0xC4, 0xD6, 0xDC], [0x80], [0xFF, 0xFE],
        [0xEF, 0xBB, 0xBF, 0x41],
        [0x93, 0x5F, 0xE4, 0xAA], [0x82, 0xA0, 0x82, 0xA2], [0xB1, 0xB2, 0xB3], [0x1B, 0x24, 0x42, 0x30], [0x0D, 0x0A],
        [0x20], [0x1D, 0x41],
        Array("\\000026".utf8), Array("]Q1".utf8), Array("QR-Code:x".utf8), Array("%20%%".utf8), [0xC3],
        [0xED, 0xA0, 0x80], [0xA4, 0xA2],
    ]

    static func random(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
        // Some payloads use only the upper bytes, because decoders guess the character set from the bytes.
        let lowest = UInt8([0, 0, 0x20, 0x80, 0xA0].randomElement(using: &random) ?? 0)
        return (0..<count).map { _ in UInt8.random(in: lowest...0xFF, using: &random) }
    }
}
