// Pictures as files have them: PNG, JPEG and PGM.

extension Picture {
    /// The picture in a file of one of the kinds that are read, told by how it begins. No memory is taken for one that says it
    /// is larger than a picture may be.
    package init(file: [UInt8]) throws(PictureFailure) {
        let picture = file.withUnsafeBytes { bytes in Result { () throws(PictureFailure) in try Picture(bytes) } }
        self = try picture.get()
    }

    private init(_ file: UnsafeRawBufferPointer) throws(PictureFailure) {
        if file.starts(with: [0xFF, 0xD8]) {
            self = try JPEGReader().picture(file)
        } else if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = try Picture(png: file)
        } else if file.starts(with: [0x50, 0x35]) {
            self = try Picture(pgm: file)
        } else {
            throw .unknownKind
        }
    }
}
