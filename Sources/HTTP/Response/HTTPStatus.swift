// The status codes that the server uses.

package enum HTTPStatus: Int, CaseIterable, Sendable {
    case ok = 200
    case created = 201
    case accepted = 202
    case noContent = 204
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case conflict = 409
    case preconditionFailed = 412
    case bodyTooLong = 413
    case targetTooLong = 414
    case unsupportedMediaType = 415
    case misdirected = 421
    case unprocessable = 422
    case locked = 423
    case preconditionRequired = 428
    case tooManyRequests = 429
    case headersTooLong = 431
    case internalError = 500
    case unavailable = 503
    case versionNotSupported = 505

    /// The name in RFC 9110 and its extensions.
    package var reason: String {
        switch self {
        case .ok: "OK"
        case .created: "Created"
        case .accepted: "Accepted"
        case .noContent: "No Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .conflict: "Conflict"
        case .preconditionFailed: "Precondition Failed"
        case .bodyTooLong: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .misdirected: "Misdirected Request"
        case .unprocessable: "Unprocessable Content"
        case .locked: "Locked"
        case .preconditionRequired: "Precondition Required"
        case .tooManyRequests: "Too Many Requests"
        case .headersTooLong: "Request Header Fields Too Large"
        case .internalError: "Internal Server Error"
        case .unavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}
