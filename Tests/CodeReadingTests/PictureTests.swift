// The tests of pictures from buffers, also with false sizes.

import CodeReading
import Testing

@Suite struct PictureTests {
    @Test func init_withAStride_dropsThePadding() {
        let bytes: [UInt8] = [1, 2, 3, 99, 4, 5, 6]
        let picture = bytes.withUnsafeBytes { Picture(width: 3, height: 2, stride: 4, bytes: $0) }
        #expect(picture?.luma == [1, 2, 3, 4, 5, 6])
    }

    @Test func init_withAStep_dropsTheColours() {
        // Two rows of YUYV; the last chroma byte may be missing.
        let bytes: [UInt8] = [1, 128, 2, 128, 0, 0, 3, 128, 4]
        let picture = bytes.withUnsafeBytes { Picture(width: 2, height: 2, stride: 6, step: 2, bytes: $0) }
        #expect(picture?.luma == [1, 2, 3, 4])
    }

    @Test(arguments: [
        (3, 2, 4, 1, 6), (3, 2, 2, 1, 100), (3, 2, -4, 1, 100), (0, 2, 4, 1, 100), (3, 0, 4, 1, 100),
        (-1, -1, 4, 1, 100),
        (3, 2, Int.max, 1, 100), (3, 3, Int.max / 2 + 1, 1, 100), (3, 2, 4, 0, 100), (3, 2, 4, 9, 1000),
        (Int.max, 2, Int.max, 1, 100), (20_000, 20_000, 20_000, 1, 100), (16_384, 16_384, 16_384, 1, 100),
        (1, 1, 1, 1, 0),
        (3, 2, 6, 2, 10),
    ])
    func init_withAnImpossibleSize_isNil(width: Int, height: Int, stride: Int, step: Int, count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeBytes { bytes in
            #expect(Picture(width: width, height: height, stride: stride, step: step, bytes: bytes) == nil)
        }
    }

    @Test func init_withAWrongByteCount_isNil() {
        #expect(Picture(width: 2, height: 2, luma: [0, 0, 0]) == nil)
        #expect(Picture(width: 2, height: 2, luma: [0, 0, 0, 0, 0]) == nil)
        #expect(Picture(width: 1, height: 1, luma: [0])?.points == 1)
    }
}
