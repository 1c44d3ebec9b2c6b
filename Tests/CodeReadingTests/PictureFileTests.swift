// The tests of picture files: whole, truncated, with false sizes, and too large.

import CPng
import Oracles
import Specimens
import Testing

@testable import CodeReading

@Suite struct PictureFileTests {
    private static func picture() throws -> Picture { try DrawnPicture.of(try Modules(Array("Hello, bathroom".utf8))) }

    private static func png(_ picture: Picture) throws -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        (image.width, image.height) = (UInt32(picture.width), UInt32(picture.height))
        var count = picture.points + 10_000
        var bytes = [UInt8](repeating: 0, count: count)
        try #require(png_image_write_to_memory(&image, &bytes, &count, 0, picture.luma, 0, nil) != 0)
        return Array(bytes.prefix(count))
    }

    private static func pgm(_ width: Int, _ height: Int, white: Int = 255, _ points: [UInt8]) -> [UInt8] {
        Array("P5\n# made by a test\n\(width) \(height)\n\(white)\n".utf8) + points
    }

    private func failure(_ bytes: [UInt8]) -> PictureFailure? {
        do throws(PictureFailure) {
            _ = try Picture(file: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func png_isTheSamePicture() throws {
        let picture = try Self.picture()
        #expect(try Picture(file: try Self.png(picture)) == picture)
    }

    @Test func pgm_isTheSamePicture() throws {
        let picture = try Self.picture()
        #expect(try Picture(file: Self.pgm(picture.width, picture.height, picture.luma)) == picture)
        #expect(try Picture(file: Self.pgm(2, 1, white: 100, [0, 50])).luma == [0, 127])
        #expect(try Picture(file: Self.pgm(2, 1, white: 65_535, [0xFF, 0xFF, 0x80, 0])).luma == [255, 127])
        #expect(try Picture(file: Self.pgm(1, 1, white: 10, [200])).luma == [255])
    }

    @Test func jpeg_isNearlyTheSamePicture() throws {
        let picture = try Self.picture()
        let again = try Picture(file: try #require(picture.jpeg(quality: 95)))
        #expect([again.width, again.height] == [picture.width, picture.height])
        for (before, after) in zip(picture.luma, again.luma) { #expect(abs(Int(before) - Int(after)) < 40) }
    }

    /// Some cameras write zeros after a picture or before its end mark.
    @Test func jpegWithExtraZeros_isRead() throws {
        let bytes = try #require(try Self.picture().jpeg(quality: 90))
        #expect(failure(bytes + [0, 0, 0]) == nil)
        #expect(failure(bytes.dropLast(2) + [0, 0, 0, 0xFF, 0xD9]) == nil)
    }

    @Test func truncatedFiles_areRefused() throws {
        let picture = try Self.picture()
        let jpeg = try #require(picture.jpeg(quality: 90))
        let files = [jpeg, try Self.png(picture), Self.pgm(picture.width, picture.height, picture.luma)]
        for file in files {
            // A PNG picture is complete before its last 12 bytes.
            for count in stride(from: 0, to: file.count - 14, by: max(1, file.count / 50)) {
                #expect(failure(Array(file.prefix(count))) != nil, "\(count) of \(file.count)")
            }
            #expect(failure(Array(file.prefix(file.count * 2 / 3))) == .cut)
        }
        #expect(failure(jpeg.prefix(jpeg.count * 2 / 3) + [0xFF, 0xD9]) == .cut)
    }

    @Test func impossibleSizes_areRefused_beforeAllocation() throws {
        let size = PictureFailure.size(width: 20_000, height: 20_000)
        #expect(failure(Self.pgm(20_000, 20_000, [])) == size)
        var jpeg = try #require(try Self.picture().jpeg(quality: 90))
        let frame = try #require((0..<jpeg.count - 1).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x4E, 0x20, 0x4E, 0x20])
        #expect(failure(jpeg) == size)
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x07, 0xD0, 0x07, 0xD0])
        #expect(failure(jpeg) == .cut)
        #expect(failure(Self.pgm(0, 5, [1])) == .size(width: 0, height: 5))
        #expect(failure(Self.pgm(2, 2, white: 0, [1, 1, 1, 1])) != nil)
        #expect(failure(Self.pgm(2, 2, white: 65_536, [1, 1, 1, 1])) != nil)
        #expect(failure(Array("P5 99999999999999999999 1 255 x".utf8)) != nil)
        #expect(failure(Array("P5 1 1 255".utf8)) != nil)
        #expect(failure(Array("P5 #".utf8)) != nil)
    }

    @Test func otherFormats_areRefused() {
        for bytes in [[], [0xFF], Array("GIF89a".utf8), Array("P6 1 1 255 abc".utf8), [0, 0, 0]] {
            #expect(failure(bytes) == .unknownKind)
        }
    }

    /// A damaged file yields a picture of its stated size or an error.
    @Test func damagedFiles_giveAPictureOrAnError() throws {
        let picture = try Self.picture()
        let files = [
            try #require(picture.jpeg(quality: 80)), try Self.png(picture),
            Self.pgm(picture.width, picture.height, picture.luma),
        ]
        var random = SeededRandom(seed: 4)
        for file in files {
            for _ in 0..<Thoroughness.pick(60, full: 2000) {
                var damaged = file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    damaged[Int.random(in: 0..<min(600, damaged.count), using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = failure(damaged)
            }
        }
    }
}
