// The luma of formats that libv4lconvert converts: Bayer patterns and vendor formats.

import CVideo
import CodeReading

/// A converter for one format. It opens everything it needs in `init`, before the sandbox is entered.
final class ConvertedLuma {
    private let converter: OpaquePointer
    private var source: v4l2_format
    private var target: v4l2_format
    private let format: PixelFormat

    /// The formats that libv4lconvert converts by itself; it has no query for them. O511 and O518 are
    /// missing because it starts a program for them. It does not convert video formats such as H264.
    private static let known: Set<FourCC> = [
        "RGB3", "BGR3", "YV12", "RGBP", "BGR4", "RGB4", "XR24", "BX24", "AR24", "BA24", "YVYU", "NV16", "NV61", "S501",
        "S505", "S508", "CITV", "KONI", "S920", "M420", "CPIA", "PJPG", "JPGL", "BA81", "GBRG", "GRBG", "RGGB", "S680",
        "pBAA", "pGAA", "pgAA", "pRAA", "BG10", "GB10", "BA10", "RG10", "BYR2", "GB16", "GR16", "RG16", "S561", "S910",
        "SONX", "P207", "M310", "JL20", "905C", "S401", "Y04 ", "Y06 ", "Y10B", "Y16 ", "HSV4", "HSV3",
    ]

    /// Returns true if the library may convert a format. The first picture shows whether it does.
    static func mayRead(_ code: FourCC) -> Bool { known.contains(code) }

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

    /// Returns the picture, or nil if the library cannot convert it.
    func picture(in bytes: UnsafeRawBufferPointer) -> Picture? {
        let points = format.width * format.height
        // The library writes to its input.
        var copy = [UInt8](bytes)
        var all = [UInt8](repeating: 0, count: points * 3 / 2)
        let count = v4lconvert_convert(
            converter, &source, &target, &copy, Int32(copy.count), &all, Int32(all.count))
        guard count >= Int32(points) else { return nil }
        return Picture(width: format.width, height: format.height, luma: Array(all.prefix(points)))
    }
}
