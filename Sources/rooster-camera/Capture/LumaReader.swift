// How light each point of a frame is, out of whatever a camera gives.

import CodeReading

enum LumaReader {
    /// It lies in the buffer: so many bytes before the first point and from one to the next; and what each point takes in all, in
    /// twelfths of a byte, so that a frame that was cut is known.
    case plain(offset: Int, step: Int, twelfths: Int)
    case jpeg(JPEGReader)
    case converted(ConvertedLuma)

    /// Nothing for a format that nobody here can read.
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

    /// The picture in the first bytes of a buffer; nothing when it is cut or damaged.
    func picture(in bytes: UnsafeRawBufferPointer, _ format: PixelFormat) -> Picture? {
        switch self {
        case .plain(let offset, let step, let twelfths):
            return LumaReader.picture(in: bytes, format, offset: offset, step: step, twelfths: twelfths)
        case .jpeg(let reader):
            do throws(PictureFailure) {
                // Its own header says how large it is, whatever the driver believes.
                return try reader.picture(bytes)
            } catch {
                // The next one may be whole.
                return nil
            }
        case .converted(let reader): return reader.picture(in: bytes)
        }
    }

    private static func picture(
        in bytes: UnsafeRawBufferPointer, _ format: PixelFormat, offset: Int, step: Int, twelfths: Int
    ) -> Picture? {
        let tight = format.width * step
        // What a driver says of its rows counts only where the frame is as long as that makes it.
        let stride = [format.rowBytes, tight].first { stride in
            stride >= tight && stride * format.height * twelfths / (12 * step) <= bytes.count
        }
        guard let stride, offset < bytes.count else { return nil }
        let rows = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        return Picture(width: format.width, height: format.height, stride: stride, step: step, bytes: rows)
    }
}
