// Why bytes are no picture.

package enum PictureFailure: Error, Hashable, Sendable {
    /// They begin like none of the kinds that are read.
    case unknownKind
    /// It says that it is so large, or has no size; nothing of it was read.
    case size(width: Int, height: Int)
    /// It ends before it should.
    case cut
    /// It is not as pictures of its kind are; in the words of the library that reads them.
    case broken(String)
}

extension PictureFailure: CustomStringConvertible {
    /// A few words behind the name of a file.
    package var description: String {
        switch self {
        case .unknownKind: "is no PNG, JPEG or PGM picture"
        case .size(let width, let height):
            "has \(width) × \(height) points; at most \(Picture.pointsMax) are read, and \(Picture.sideMax) along a side"
        case .cut: "ends in the middle of the picture"
        case .broken(let reason): "is broken: \(reason)"
        }
    }
}
