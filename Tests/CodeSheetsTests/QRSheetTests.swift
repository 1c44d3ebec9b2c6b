// The tests of the printed sheet, read back as a camera would read it.

import CodeReading
import CodeSheets
import SheetPictures
import Testing

@Suite struct QRSheetTests {
    private static let payload = "RHQ4M6XB2TZ3WJ7DK5NYCAVPEF"

    @Test func png_isAPageWhoseCodeHasThePayload() throws {
        let png = try #require(try QRSheet(payload: Self.payload, label: "Küche").png())
        let page = try Picture(file: png)
        #expect([page.width, page.height] == [1240, 1754])
        #expect(read(page) == [Self.payload])
    }

    /// A printer learns the size of the page from the points in a metre.
    @Test func png_isAsLargeAsA4() throws {
        let png = try #require(try QRSheet(payload: Self.payload, label: "Bathroom").png())
        // The chunk with its checksum, as other programs write it for 150 points in an inch.
        let size: [UInt8] = [
            0, 0, 0, 9, 0x70, 0x48, 0x59, 0x73, 0, 0, 0x17, 0x12, 0, 0, 0x17, 0x12, 1, 0x67, 0x9F, 0xD2, 0x52,
        ]
        #expect(Array(png[33..<54]) == size)
    }

    @Test func label_withLettersThatThePictureLacks_isKnown() throws {
        func canDraw(_ label: String) throws -> Bool { try QRSheet(payload: Self.payload, label: label).canDrawLabel }
        #expect(try canDraw("Küche & Straße, 2nd floor ~ Ångström"))
        for label in ["🛁", "חדר", "浴室"] { #expect(try !canDraw(label)) }
    }

    /// Two labels whose letters differ only in their case have different pictures, as do fingerprints.
    @Test func png_hasSmallLetters() throws {
        func png(_ label: String) throws -> [UInt8]? { try QRSheet(payload: Self.payload, label: label).png() }
        #expect(try png("bath") != png("BATH"))
    }

    @Test func png_seenFromADistance_isRead() throws {
        // From 1.5 m, a point of a 640 × 480 camera covers 2.7 mm, so the page's 210 mm are 78 points.
        let png = try #require(try QRSheet(payload: Self.payload, label: "Bathroom").png())
        let page = try Picture(file: png)
        let step = Double(page.width) / 78
        let luma = (0..<110).flatMap { y in
            (0..<78).map { x in mean(of: page, left: Double(x) * step, top: Double(y) * step, side: step) }
        }
        #expect(read(try #require(Picture(width: 78, height: 110, luma: luma))) == [Self.payload])
    }

    @Test func png_withLettersOfEveryKind_isAPage() throws {
        let every = String(String.UnicodeScalarView((0x20...0x17F).compactMap(Unicode.Scalar.init)))
        for label in ["", every, String(repeating: "m", count: 10_000), "🛁\u{0}\u{2028}a\u{301}"] {
            let sheet = try QRSheet(payload: Self.payload, label: label)
            let png = try #require(sheet.png())
            #expect(read(try Picture(file: png)) == [Self.payload])
            #expect(sheet.svg.hasSuffix("</svg>\n"))
        }
    }

    @Test func svg_hasOneBarForEachRunOfDarkModules() throws {
        let symbol = try QRSymbol(payload: Array(Self.payload.utf8))
        let svg = try QRSheet(payload: Self.payload, label: "Bathroom").svg
        var dark = Set<[Int]>()
        for bar in svg.matches(of: /M(\d+) (\d+)h(\d+)v1H(\d+)z/) {
            let numbers = try [bar.1, bar.2, bar.3, bar.4].map { try #require(Int($0)) }
            #expect(numbers[0] == numbers[3])
            for column in numbers[0]..<numbers[0] + numbers[2] { dark.insert([column - 4, numbers[1] - 4]) }
        }
        for row in 0..<symbol.side {
            for column in 0..<symbol.side {
                #expect(symbol.isDark(column: column, row: row) == dark.contains([column, row]))
            }
        }
    }

    @Test func svg_escapesItsLabel() throws {
        let svg = try QRSheet(payload: Self.payload, label: "Mum & Dad's <bath>\n\u{1}\u{FFFE}").svg
        #expect(svg.contains(">Mum &amp; Dad's &lt;bath&gt;   </text>"))
        #expect(!svg.contains(Self.payload))
    }

    @Test func symbol_hasTheHighestCorrectionLevelThatFits() throws {
        // 26 letters and digits fit into version 2, which has 25 modules, at level Q.
        #expect(try QRSymbol(payload: Array(Self.payload.utf8)).side == 25)
        #expect(try QRSymbol(payload: [0]).side == 21)
        #expect(try QRSymbol(payload: [UInt8](repeating: 0, count: 2953)).side == 177)
        #expect(throws: QRSymbol.Failure.tooLong(bytes: 2954)) {
            try QRSymbol(payload: [UInt8](repeating: 0, count: 2954))
        }
        #expect(throws: QRSymbol.Failure.tooLong(bytes: 100_000)) {
            try QRSymbol(payload: [UInt8](repeating: 0x80, count: 100_000))
        }
        #expect(throws: QRSymbol.Failure.empty) { try QRSymbol(payload: []) }
    }

    private func read(_ page: Picture) -> [String] {
        var reader = CodeReader()
        let reading = reader.read(page, wanted: [.qr], budgetMilliseconds: 600_000)
        return reading.codes.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// Returns the mean lightness of a square.
    private func mean(of page: Picture, left: Double, top: Double, side: Double) -> UInt8 {
        var (sum, count) = (0, 0)
        for y in Int(top)..<min(page.height, Int(top + side)) {
            for x in Int(left)..<min(page.width, Int(left + side)) {
                sum += Int(page.luma[y * page.width + x])
                count += 1
            }
        }
        return UInt8(count == 0 ? 255 : sum / count)
    }
}
