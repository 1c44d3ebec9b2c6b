// Decodes JPEG pictures with libjpeg-turbo: files, and the frames of MJPEG cameras.

import CTurbojpeg

package final class JPEGReader {
    private let handle: tjhandle?

    package init() { handle = tjInitDecompress() }

    deinit {
        if let handle { tjDestroy(handle) }
    }

    /// Decodes the brightness of a JPEG picture. Minor defects are accepted, a truncated picture is not.
    package func picture(_ bytes: UnsafeRawBufferPointer) throws(PictureFailure) -> Picture {
        guard let handle else { throw .broken("out of memory") }
        let (data, count) = (bytes.assumingMemoryBound(to: UInt8.self).baseAddress, UInt(bytes.count))
        var (width, height, subsampling, colours) = (Int32(), Int32(), Int32(), Int32())
        guard tjDecompressHeader3(handle, data, count, &width, &height, &subsampling, &colours) == 0 else {
            throw failure(handle)
        }
        guard Picture.isPossible(width: Int(width), height: Int(height)) else {
            throw .size(width: Int(width), height: Int(height))
        }
        let points = Int(width) * Int(height)
        var luma = [UInt8](repeating: 0, count: points)
        // Without this limit, a picture with very many scans would take minutes. The fast transform is not
        // used: it lightens dark points at hard edges, as in codes.
        let flags = TJFLAG_LIMITSCANS
        if tjDecompress2(handle, data, count, &luma, width, 0, height, Int32(TJPF_GRAY.rawValue), flags) != 0 {
            let failure = failure(handle)
            guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue), failure != .cut else { throw failure }
        }
        return Picture(checkedWidth: Int(width), height: Int(height), luma: luma)
    }

    private func failure(_ handle: tjhandle) -> PictureFailure {
        let text = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "unknown reason"
        // The warnings "Premature end of JPEG file" and "premature end of data segment" mean that a part is
        // missing. The library gives them no code of their own.
        return text.contains("remature end") ? .cut : .broken(text)
    }
}
