// The tests of the treatments of a picture before it is decoded.

import Oracles
import Testing

@testable import CodeReading

@Suite struct TreatmentTests {
    private func noise(_ width: Int, _ height: Int, seed: UInt64, in range: ClosedRange<UInt8> = 0...255) throws
        -> Picture
    {
        var random = SeededRandom(seed: seed)
        let luma = (0..<width * height).map { _ in UInt8.random(in: range, using: &random) }
        return try #require(Picture(width: width, height: height, luma: luma))
    }

    @Test func halved_isTheMeanOfFour() throws {
        let picture = try #require(Picture(width: 3, height: 3, luma: [0, 255, 9, 255, 255, 9, 9, 9, 9]))
        #expect(picture.halved() == Picture(width: 1, height: 1, luma: [191]))
        #expect(Picture(width: 1, height: 9, luma: [UInt8](repeating: 0, count: 9))?.halved() == nil)
    }

    @Test func doubled_thenHalved_isNearlyTheSame() throws {
        for (width, height) in [(1, 1), (1, 7), (7, 1), (31, 17)] {
            let picture = try noise(width, height, seed: 1, in: 100...150)
            let again = try #require(picture.doubled()?.halved())
            #expect(again.width == width && again.height == height)
            for (before, after) in zip(picture.luma, again.luma) { #expect(abs(Int(before) - Int(after)) <= 26) }
        }
        let even = try #require(Picture(width: 5, height: 4, luma: [UInt8](repeating: 255, count: 20)))
        #expect(even.doubled()?.luma == [UInt8](repeating: 255, count: 80))
    }

    @Test func smoothedAndSharpened_leaveAnEvenPictureAsItIs() throws {
        for shade: UInt8 in [0, 1, 128, 254, 255] {
            let even = try #require(Picture(width: 12, height: 9, luma: [UInt8](repeating: shade, count: 108)))
            #expect(even.smoothed() == even)
            #expect(even.sharpened() == even)
        }
        let picture = try noise(40, 30, seed: 2)
        let inner = { (picture: Picture) in (5..<25).flatMap { y in (5..<35).map { Int(picture.luma[y * 40 + $0]) } } }
        let spread = { (values: [Int]) in values.reduce(0) { $0 + abs($1 - 128) } }
        #expect(spread(inner(picture.smoothed())) < spread(inner(picture)))
        #expect(spread(inner(picture.sharpened())) > spread(inner(picture)))
    }

    @Test func inverted_twice_isTheSame() throws {
        let picture = try noise(20, 20, seed: 3)
        #expect(picture.inverted().inverted() == picture)
        #expect(picture.inverted().luma[0] == 255 - picture.luma[0])
    }

    @Test func stillFrames_haveLessNoise() throws {
        var stills = StillFrames()
        var mean: Picture?
        for seed in 0..<20 { mean = stills.add(try noise(160, 120, seed: UInt64(seed), in: 100...140)) ?? mean }
        let luma = try #require(mean).luma
        let spread = luma.reduce(0) { $0 + abs(Int($1) - 120) } / luma.count
        // A single frame has a spread of 10.
        #expect(spread <= 5)
    }

    @Test func stillFrames_startOver_whenThePictureMoves() throws {
        var stills = StillFrames()
        let wall = try noise(160, 120, seed: 1, in: 100...110)
        #expect(stills.add(wall) == nil)
        #expect(stills.add(wall) != nil)
        var luma = wall.luma
        for y in 40..<70 { for x in 40..<70 { luma[y * 160 + x] = (x / 4 + y / 4) % 2 == 0 ? 255 : 0 } }
        let held = try #require(Picture(width: 160, height: 120, luma: luma))
        #expect(stills.add(held) == nil)
        #expect(stills.add(held) == held)
        // A frame of another size comes from another camera.
        #expect(stills.add(try noise(120, 160, seed: 2)) == nil)
    }

    @Test func measures_distinguishDarkFromLight_andSharpFromBlurred() throws {
        func measures(_ luma: [UInt8]) throws -> Measures {
            Measures(try #require(Picture(width: 64, height: 64, luma: luma)))
        }
        let black = try measures([UInt8](repeating: 0, count: 4096))
        #expect([black.light, black.sharpness] == [0, 0])
        #expect(black.isDark)
        let white = try measures([UInt8](repeating: 255, count: 4096))
        #expect([white.light, white.sharpness] == [100, 0])
        #expect(!white.isDark)
        let edge = (0..<4096).map { UInt8($0 % 64 < 30 ? 40 : 200) }
        let slope = (0..<4096).map { place -> UInt8 in
            let light = 40 + (place % 64 - 20) * 10
            return UInt8(min(200, max(40, light)))
        }
        #expect(try measures(edge).sharpness == 100)
        #expect(try measures(slope).sharpness < 20)
    }
}
