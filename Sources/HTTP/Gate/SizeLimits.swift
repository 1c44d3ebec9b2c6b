// The limits on the size of a request.

/// The limits on a request without its body.
package enum HeadLimits {
    /// All headers together, with their line ends.
    package static let bytesMax = 16 << 10
    package static let fieldsMax = 64
    package static let targetBytesMax = 4096
    /// The longest id of a request on the control socket.
    package static let keyBytesMax = 200
}

/// The limit on a body, by the kind of the request.
package enum BodyLimit: Int, CaseIterable, Sendable {
    case ordinary = 0x10_0000
    case fileImport = 0x80_0000
    case sound = 0x100_0000

    /// Checks the announced length, before the body is read.
    package func check(_ framing: BodyFraming) throws(GateRefusal) {
        if case .length(let count) = framing { try check(byteCount: count) }
    }

    /// Checks the bytes that have come so far. A chunked body announces no length.
    package func check(byteCount: Int) throws(GateRefusal) {
        guard byteCount <= rawValue else { throw .bodyTooLong }
    }
}
