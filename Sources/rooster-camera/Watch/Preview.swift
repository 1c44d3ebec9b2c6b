// Previews: small pictures by which the owner aims the camera.

import CTurbojpeg
import CodeReading
import Devices

/// Makes JPEG pictures that fit into a packet.
final class PreviewMaker {
    private let handle: tjhandle?

    private static let widthMax = 320
    private static let qualities: [Int32] = [60, 30, 10]

    init() { handle = tjInitCompress() }

    deinit {
        if let handle { tjDestroy(handle) }
    }

    /// Returns a preview, or nil if none fits into a packet.
    func preview(of picture: Picture) -> [UInt8]? {
        let small = PreviewMaker.reduced(picture)
        for quality in PreviewMaker.qualities {
            guard let bytes = packed(small, quality) else { return nil }
            if bytes.count < HelperMessage.packetBytesMax { return bytes }
        }
        return nil
    }

    /// Returns a smaller picture. Each of its points is the mean of a square of points.
    static func reduced(_ picture: Picture) -> Picture {
        let factor = max(1, (max(picture.width, picture.height) + widthMax - 1) / widthMax)
        let (width, height) = (max(1, picture.width / factor), max(1, picture.height / factor))
        guard factor > 1, picture.width >= factor, picture.height >= factor else { return picture }
        var luma = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                var sum = 0
                for row in 0..<factor {
                    let start = (y * factor + row) * picture.width + x * factor
                    for point in start..<start + factor { sum += Int(picture.luma[point]) }
                }
                luma[y * width + x] = UInt8(sum / (factor * factor))
            }
        }
        return Picture(width: width, height: height, luma: luma) ?? picture
    }

    private func packed(_ picture: Picture, _ quality: Int32) -> [UInt8]? {
        guard let handle else { return nil }
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(bytes) }
        let answer = tjCompress2(
            handle, picture.luma, Int32(picture.width), Int32(picture.width), Int32(picture.height),
            Int32(TJPF_GRAY.rawValue), &bytes, &count, Int32(TJSAMP_GRAY.rawValue), quality, 0)
        guard answer == 0, let bytes else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
