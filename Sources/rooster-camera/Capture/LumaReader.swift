// Readers that extract luma from a camera's formats.

import CodeReading

enum LumaReader {
    /// Luma lies in the buffer: `offset` bytes before the first point, `step` bytes from point to point. The
    /// size of a whole point, in twelfths of a byte, shows whether a frame is truncated.
    case plain(offset: Int, step: Int, twelfths: Int)
    case jpeg(JPEGReader)
    case converted(ConvertedLuma)

    /// Returns nil for a format that has no reader.
    init?(_ format: PixelFormat, of descriptor: Int32) {
        switch format.code {
        case .grey: self = .plain(offset: 0, step: 1, twelfths: 12)
        case .nv12, .yu12: self = .plain(offset: 0, step: 1, twelfths: 18)
        case .yuyv: self = .plain(offset: 0, step: 2, twelfths: 24)
        case .uyvy: self = .plain(offset: 1, step: 2, twelfths: 24)
        case .motionJPEG, .jpeg: self = .jpeg(JPEGReader())
        default:
            guard let reader = ConvertedLuma(format, of: descriptor) else { return nil }
            self = .converted(reader)
        }
    }

    /// Returns the picture in a buffer, or nil if it is truncated or damaged.
    func picture(in bytes: UnsafeRawBufferPointer, _ format: PixelFormat) -> Picture? {
        switch self {
        case .plain(let offset, let step, let twelfths):
            return LumaReader.picture(in: bytes, format, offset: offset, step: step, twelfths: twelfths)
        case .jpeg(let reader):
            do throws(PictureFailure) {
                // The size in the JPEG header counts, not the driver's.
                return try reader.picture(bytes)
            } catch {
                // The next frame may be intact.
                return nil
            }
        case .converted(let reader): return reader.picture(in: bytes)
        }
    }

    private static func picture(
        in bytes: UnsafeRawBufferPointer, _ format: PixelFormat, offset: Int, step: Int, twelfths: Int
    ) -> Picture? {
        let tight = format.width * step
        // The driver's row length counts only if the buffer is long enough for it.
        let stride = [format.rowBytes, tight].first { stride in
            stride >= tight && stride * format.height * twelfths / (12 * step) <= bytes.count
        }
        guard let stride, offset < bytes.count else { return nil }
        let rows = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return Picture(width: format.width, height: format.height, stride: stride, step: step, bytes: rows)
    }
}
