// The tests of codes of other kinds than QR, made by zint: both decoders read the same payload.

import Devices
import Foundation
import Oracles
import Testing

@testable import CodeReading

private let hasZint = access("/usr/bin/zint", X_OK) == 0

@Suite(.enabled(if: hasZint)) struct OtherKindsTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let symbology: Symbology
        /// The name of the symbology in zint, and zint's input.
        let name: String
        let input: String
        let payload: String

        var testDescription: String { "\(symbology.name) \(payload)" }
    }

    static let samples = [
        Sample(symbology: .ean13, name: "EANX", input: "400638133393", payload: "4006381333931"),
        Sample(symbology: .ean8, name: "EANX", input: "9638507", payload: "96385074"),
        Sample(symbology: .upcA, name: "UPCA", input: "03600029145", payload: "036000291452"),
        Sample(symbology: .upcE, name: "UPCE", input: "0425261", payload: "04252614"),
        Sample(symbology: .code128, name: "CODE128", input: "Rooster-42 abc", payload: "Rooster-42 abc"),
        Sample(symbology: .code39, name: "CODE39", input: "ROOSTER 42", payload: "ROOSTER 42"),
        Sample(symbology: .code93, name: "CODE93", input: "ROOSTER 42", payload: "ROOSTER 42"),
        Sample(symbology: .codabar, name: "CODABAR", input: "A40156B", payload: "A40156B"),
        Sample(symbology: .itf, name: "C25INTER", input: "0123456789", payload: "0123456789"),
        Sample(symbology: .dataMatrix, name: "DATAMATRIX", input: "Rooster-42 abc", payload: "Rooster-42 abc"),
        Sample(symbology: .aztec, name: "AZTEC", input: "Rooster-42 abc", payload: "Rooster-42 abc"),
        Sample(symbology: .pdf417, name: "PDF417", input: "Rooster-42 abc", payload: "Rooster-42 abc"),
    ]

    private func picture(_ sample: Sample, _ options: [String] = []) throws -> Picture {
        let scratch = try Scratch()
        let file = "\(scratch.path)/code.png"
        let size = ["--scale", "2", "--quietzones", "--notext", "-o", file, "-b", sample.name, "-d", sample.input]
        let run = try Program("/usr/bin/zint", options + size)
        try #require(run.exitStatus == 0, "\(run.errors)")
        return try Picture(file: Array(try Data(contentsOf: URL(fileURLWithPath: file))))
    }

    /// Both decoders agree on a code's kind and payload, whichever other kinds are wanted.
    @Test(arguments: samples) func decoders_agree(sample: Sample) throws {
        let picture = try picture(sample)
        for wanted in [[sample.symbology], Set(Symbology.allCases)] {
            var decoders = [ZxingScanner().read(picture, wanted: wanted)]
            if ZbarScanner.symbologies[sample.symbology] != nil {
                decoders.append(ZbarScanner().read(picture, wanted: wanted))
            }
            for codes in decoders {
                #expect(wanted.count > 1 || codes.count == 1)
                #expect(codes.contains { $0.payload == Array(sample.payload.utf8) && $0.symbology == sample.symbology })
            }
        }
        var reader = CodeReader()
        #expect(reader.read(picture, wanted: [.qr], budgetMilliseconds: 600_000).codes.isEmpty)
    }

    @Test func gs1Code_isReadAlikeByBothDecoders() throws {
        let goods = Sample(symbology: .qr, name: "QRCODE", input: "[01]04006381333931[10]A%1[21]7", payload: "")
        let picture = try picture(goods, ["--gs1"])
        let (zbar, zxing) = (ZbarScanner().read(picture, wanted: [.qr]), ZxingScanner().read(picture, wanted: [.qr]))
        #expect(!zxing.isEmpty)
        #expect(zbar.isEmpty || zbar.map(\.payload) == zxing.map(\.payload))
    }
}
