// The tests of the codes that the reader finds in one picture, and in a series.

import Devices
import Oracles
import Testing

@testable import CodeReading

@Suite struct CodeReaderTests {
    private let hello = Array("Hello, bathroom".utf8)

    private func read(_ picture: Picture, wanted: Set<Symbology> = [.qr]) -> FrameResult {
        var reader = CodeReader()
        return reader.read(picture, wanted: wanted, budgetMilliseconds: 600_000)
    }

    /// Returns the payloads that the reader finds in the picture.
    private func readPayloads(_ reader: inout CodeReader, _ picture: Picture, budget milliseconds: Int = 600_000)
        -> [[UInt8]]
    {
        reader.read(picture, wanted: [.qr], budgetMilliseconds: milliseconds).codes.map(\.payload)
    }

    @Test func code_isRead_withItsDecoderAndSize() throws {
        let result = read(try DrawnPicture.of(try Modules(hello)))
        #expect(result.codes.map(\.payload) == [hello])
        #expect(result.decoder == .zxing)
        #expect((60...90).contains(result.codes.first?.sizePercent ?? 0))
        #expect(result.milliseconds > 0)
    }

    @Test func inverseCode_isRead() throws {
        #expect(read(try DrawnPicture.of(try Modules(hello), isInverse: true)).codes.map(\.payload) == [hello])
    }

    @Test func smallestPictures_haveNoCode() throws {
        for (width, height) in [(1, 1), (1, 500), (500, 1), (2, 2), (3, 5), (9, 9), (16_384, 1), (1, 16_384)] {
            for shade: UInt8 in [0, 127, 255] {
                let luma = [UInt8](repeating: shade, count: width * height)
                let result = read(
                    try #require(Picture(width: width, height: height, luma: luma)), wanted: Set(Symbology.allCases))
                #expect(result.codes.isEmpty)
                #expect(result.decoder == nil)
            }
        }
    }

    @Test func noise_hasNoCode() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<Thoroughness.pick(6, full: 60) {
            let luma = (0..<320 * 240).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(read(try #require(Picture(width: 320, height: 240, luma: luma))).codes.isEmpty)
        }
    }

    @Test func tenCodes_areReadEachOnce() throws {
        var drawing = DrawnPicture(width: 800, height: 340)
        let payloads = (0..<10).map { Array("code \($0)".utf8) }
        for (index, payload) in payloads.enumerated() {
            drawing.draw(try Modules(payload), left: 30 + index % 5 * 150, top: 30 + index / 5 * 150, module: 4)
        }
        let picture = try drawing.picture()
        var reader = CodeReader()
        // zxing-cpp misses some codes if there are many. zbar then reads the next frame.
        #expect(!readPayloads(&reader, picture).isEmpty)
        let codes = readPayloads(&reader, picture)
        #expect(Set(codes) == Set(payloads))
        #expect(codes.count == 10)
    }

    @Test func sameCodeTwice_isReportedOnce() throws {
        var drawing = DrawnPicture(width: 400, height: 200)
        for left in [30, 230] { drawing.draw(try Modules(hello), left: left, top: 30, module: 4) }
        #expect(read(try drawing.picture()).codes.map(\.payload) == [hello])
    }

    @Test func codeInsideACode_isRead() throws {
        let outer = try Modules(Array(String(repeating: "outer ", count: 80).utf8))
        let side = (outer.side + 8) * 8
        var drawing = DrawnPicture(width: side, height: side)
        drawing.draw(outer, left: 32, top: 32, module: 8)
        drawing.fill(left: side / 2 - 66, top: side / 2 - 66, side: 132, 255)
        drawing.draw(try Modules(hello), left: side / 2 - 42, top: side / 2 - 42, module: 4)
        let known: Set = [hello, Array(String(repeating: "outer ", count: 80).utf8)]
        let codes = read(try drawing.picture()).codes.map(\.payload)
        #expect(!codes.isEmpty)
        #expect(known.isSuperset(of: codes))
    }

    @Test func largePicture_isReadInParts() throws {
        // A telephone's picture: the code is small in it, and unreadable once the picture is scaled down.
        var drawing = DrawnPicture(width: 4000, height: 3000)
        drawing.draw(try Modules(hello), left: 2000, top: 1500, module: 3)
        let result = read(try drawing.picture())
        #expect(result.codes.map(\.payload) == [hello])
        #expect(result.codes.first?.sizePercent == 2)
    }

    /// A distant code in a frame of 1280 × 720, light on dark: unreadable once the frame is scaled down.
    @Test func smallCode_inALargeFrame_isRead() throws {
        for isInverse in [false, true] {
            var drawing = DrawnPicture(width: 1280, height: 720)
            if isInverse { drawing.fill(left: 600, top: 300, side: 80, 0) }
            drawing.draw(try Modules(hello), left: 612, top: 312, module: 2, isInverse: isInverse)
            let result = read(try drawing.picture())
            #expect(result.codes.map(\.payload) == [hello])
            #expect((5...7).contains(result.codes.first?.sizePercent ?? 0))
        }
    }

    /// A wrong code beside the right one must not keep the owner from stopping the alarm.
    @Test func codeSeenBefore_doesNotStopTheSearchForOthers() throws {
        var drawing = DrawnPicture(width: 640, height: 480)
        drawing.draw(try Modules(hello), left: 30, top: 30, module: 4)
        // zxing-cpp looks for dark codes on light ground. Only a later step finds this one.
        let inverse = try Modules(Array("inverse".utf8))
        drawing.fill(left: 300, top: 200, side: 140, 0)
        drawing.draw(inverse, left: 328, top: 228, module: 4, isInverse: true)
        var reader = CodeReader()
        let picture = try drawing.picture()
        #expect(readPayloads(&reader, picture) == [hello])
        #expect(Set(readPayloads(&reader, picture)) == [hello, Array("inverse".utf8)])
    }

    @Test func reader_withoutABudget_runsOneStepPerPicture() throws {
        let picture = try DrawnPicture.of(try Modules(hello), isInverse: true)
        var reader = CodeReader()
        #expect(readPayloads(&reader, picture, budget: 0).isEmpty)
        #expect(readPayloads(&reader, picture) == [hello])
    }

    /// If a frame's time is too short for all steps, each still gets its turn. The test sets the costs
    /// itself.
    @Test func costs_growAtOnce_andShrinkSlowly() {
        var costs = StepCosts()
        costs.begin(points: 100)
        costs.note(.plainZxing, milliseconds: 2)
        #expect(costs.milliseconds(.plainZbar) == 20)
        costs.note(.plainZbar, milliseconds: 30)
        #expect(costs.milliseconds(.plainZbar) == 30)
        #expect(costs.milliseconds(.doubleZbar) == 150)
        costs.begin(points: 100)
        costs.note(.plainZbar, milliseconds: 10)
        #expect((20...29).contains(costs.milliseconds(.plainZbar)))
        costs.begin(points: 50)
        #expect(costs.milliseconds(.plainZbar) == 0)
    }
}
