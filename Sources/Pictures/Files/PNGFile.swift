// PNG pictures, by libpng.

import CPng

extension Picture {
    /// How light the points of a PNG picture are; what is transparent shows a white ground.
    init(png: UnsafeRawBufferPointer) throws(PictureFailure) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, png.baseAddress, png.count) != 0 else {
            throw Picture.failure(image)
        }
        let (width, height) = (Int(image.width), Int(image.height))
        guard Picture.isPossible(width: width, height: height) else { throw .size(width: width, height: height) }
        image.format = 0  // PNG_FORMAT_GRAY: a byte a point
        var luma = [UInt8](repeating: 0, count: width * height)
        var white = png_color(red: 255, green: 255, blue: 255)
        guard png_image_finish_read(&image, &white, &luma, 0, nil) != 0 else { throw Picture.failure(image) }
        self.init(checkedWidth: width, height: height, luma: luma)
    }

    private static func failure(_ image: png_image) -> PictureFailure {
        let words = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        // What libpng says when its input is used up.
        return words.contains("read beyond end of data") ? .cut : .broken(words)
    }
}
