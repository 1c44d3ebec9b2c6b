// The content of a response that is no JSON over HTTP, such as a picture.

import Text

/// Bytes of a media type. On the socket they are base64; over HTTP they are the body of the response.
package struct MediaReport: Codable, Hashable, Sendable {
    /// The media type, such as image/svg+xml.
    package let type: String
    /// The bytes in base64.
    package let data: String

    package init(_ bytes: [UInt8], type: String) { (self.type, data) = (type, bytes.base64) }

    /// The bytes; nil if the text is not valid base64.
    package var bytes: [UInt8]? { [UInt8](base64: data) }
}

extension RequestSpec {
    /// The member of a response that is its body over HTTP, if the request has `media`.
    package static let mediaMember = "content"
}
