// The luma of what only libv4lconvert knows: Bayer patterns, the vendors' own formats.

import CV4lConvert
import Pictures

/// Converts pictures of one format. All that it opens it opens when it is made.
final class ConvertedLuma {
    private let converter: OpaquePointer
    private var source: v4l2_format
    private var target: v4l2_format
    private let format: PixelFormat

    /// Whether the library has a program of its own for it: nothing is started here.
    private static let unreadable: [FourCC] = [FourCC("O511"), FourCC("O518")]

    /// Whether it may be able to read it; whether it is, is seen by its first picture.
    static func mayRead(_ code: FourCC) -> Bool { !unreadable.contains(code) }

    init?(_ format: PixelFormat, of descriptor: Int32) {
        guard let converter = v4lconvert_create(descriptor) else { return nil }
        (self.converter, self.format) = (converter, format)
        source = ConvertedLuma.described(format, format.code)
        target = ConvertedLuma.described(format, .yu12)
    }

    deinit {
        v4lconvert_destroy(converter)
    }

    private static func described(_ format: PixelFormat, _ code: FourCC) -> v4l2_format {
        var description = v4l2_format()
        description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        let isSource = code == format.code
        description.fmt.pix.pixelformat = code.number
        (description.fmt.pix.width, description.fmt.pix.height) = (UInt32(format.width), UInt32(format.height))
        description.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        description.fmt.pix.bytesperline = UInt32(isSource ? format.rowBytes : format.width)
        description.fmt.pix.sizeimage = UInt32(isSource ? format.pictureBytes : format.width * format.height * 3 / 2)
        return description
    }

    /// The picture; nothing when the library does not read it.
    func picture(in bytes: UnsafeRawBufferPointer) -> Picture? {
        let points = format.width * format.height
        // It changes what it reads.
        var copy = [UInt8](bytes)
        var all = [UInt8](repeating: 0, count: points * 3 / 2)
        let count = v4lconvert_convert(
            converter, &source, &target, &copy, Int32(copy.count), &all, Int32(all.count))
        guard count >= Int32(points) else { return nil }
        return Picture(width: format.width, height: format.height, luma: Array(all.prefix(points)))
    }
}
