// The reasons for which the gate refuses a request.

/// A rule of the gate that a request broke. After the response the transport closes the connection,
/// because a request that is read wrongly may hide a second one in its body.
///
/// No sentence contains bytes of the request, since those may be a secret.
package enum GateRefusal: String, Error, CaseIterable, Hashable, Sendable {
    // The request line.
    case malformedMethod, unknownMethod, unknownVersion
    case targetTooLong, notOriginForm, malformedTarget, malformedEscape, controlCharacter, notUTF8
    case emptySegment, dotSegment
    // The headers.
    case tooManyHeaders, headersTooLong, malformedHeaderName, malformedHeaderValue, repeatedHeader
    case malformedCondition, malformedKey, repeatedCookie
    // The length of the body.
    case malformedLength, unknownCoding, lengthAndCoding, codingInOldVersion, unexpectedBody, bodyTooLong
    // The site that the client believes to talk to.
    case missingHost, malformedHost, foreignHost, foreignOrigin, missingOrigin

    package var status: HTTPStatus {
        switch self {
        case .unknownMethod: .methodNotAllowed
        case .unknownVersion: .versionNotSupported
        case .targetTooLong: .targetTooLong
        case .tooManyHeaders, .headersTooLong: .headersTooLong
        case .bodyTooLong: .bodyTooLong
        case .foreignHost: .misdirected
        case .foreignOrigin, .missingOrigin: .forbidden
        default: .badRequest
        }
    }

    /// The sentence for people.
    package var sentence: String {
        switch self {
        case .malformedMethod: "The method is not a word"
        case .unknownMethod: "The method is not one of \(HTTPMethod.allowed)"
        case .unknownVersion: "The version is neither HTTP/1.0 nor HTTP/1.1"
        case .targetTooLong: "The address has more than \(HeadLimits.targetBytesMax) bytes"
        case .notOriginForm: "The target of the request does not begin with a slash"
        case .malformedTarget: "The address contains a character that must be written as %XX"
        case .malformedEscape: "The address contains a % without two hexadecimal digits behind it"
        case .controlCharacter: "The address contains a control character"
        case .notUTF8: "The address is not UTF-8"
        case .emptySegment: "The path contains two slashes in a row, or ends with a slash"
        case .dotSegment: "The path contains \".\" or \"..\""
        case .tooManyHeaders: "The request has more than \(HeadLimits.fieldsMax) headers"
        case .headersTooLong: "The headers have more than \(HeadLimits.bytesMax / 1024) KiB"
        case .malformedHeaderName: "The name of a header contains a character that names must not have"
        case .malformedHeaderValue: "The value of a header contains a control character"
        case .repeatedHeader: "A header that must come once came twice"
        case .malformedCondition: "If-Match or If-None-Match is neither * nor a list of tags in double quotes"
        case .malformedKey: "Idempotency-Key must have 1 to \(HeadLimits.keyBytesMax) printable characters"
        case .repeatedCookie:
            "The cookie of this site came twice. Delete the cookies of this site and pair again."
        case .malformedLength: "Content-Length is not a number"
        case .unknownCoding: "Transfer-Encoding is not \"chunked\""
        case .lengthAndCoding: "The request has Content-Length and Transfer-Encoding, and may have one of them"
        case .codingInOldVersion: "A request of HTTP/1.0 cannot have Transfer-Encoding"
        case .unexpectedBody: "A GET or HEAD request cannot have a body"
        case .bodyTooLong: "The body is too long for this request"
        case .missingHost: "The Host header is missing"
        case .malformedHost: "The Host header is not a host name or address with an optional port"
        case .foreignHost: "This device does not answer to the name in the Host header. Use its IP address."
        case .foreignOrigin: "A page of another site must not send this request"
        case .missingOrigin: "A request that changes something with a cookie needs an Origin header"
        }
    }

    /// The headers that go with the status.
    package var fields: [HeaderField] {
        self == .unknownMethod ? [HeaderField("Allow", HTTPMethod.allowed)] : []
    }
}

extension HTTPMethod {
    fileprivate static var allowed: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
