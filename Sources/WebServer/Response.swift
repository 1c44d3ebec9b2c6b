// Responses in the form of libmicrohttpd.

import CMicrohttpd
import Glibc
import HTTP

extension HTTPResponse {
    /// Makes the response for libmicrohttpd; nil if memory is short. Its body comes from `source`, if there
    /// is one.
    func made(_ source: BodySource?, _ bytes: [UInt8], isLast: Bool) -> OpaquePointer? {
        let response: OpaquePointer? =
            if let source {
                MHD_create_response_from_callback(
                    source.size, BodySource.blockBytes, readBody, Unmanaged.passRetained(source).toOpaque(), releaseBody
                )
            } else {
                bytes.withUnsafeBytes {
                    MHD_create_response_from_buffer(
                        $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
                }
            }
        guard let response else { return nil }
        let closing = isLast ? [HeaderField("Connection", "close")] : []
        for field in fields + closing {
            // No field contains a NUL: the response has dropped control characters.
            let (name, value) = (field.name + [0], field.value + [0])
            name.withUnsafeBufferPointer { name in
                value.withUnsafeBufferPointer { value in
                    name.withMemoryRebound(to: CChar.self) { name in
                        value.withMemoryRebound(to: CChar.self) { value in
                            _ = MHD_add_response_header(response, name.baseAddress, value.baseAddress)
                        }
                    }
                }
            }
        }
        return response
    }
}

/// The body of a response, read piece by piece.
final class BodySource {
    enum Content {
        case bytes([UInt8])
        case events(EventStream)
    }

    let content: Content
    /// Called for each piece, since a client that takes one is there.
    let progressed: () -> Void
    /// Called when the stream has no event.
    let pause: () -> Void

    static let blockBytes = 16 << 10
    /// A body up to this size is copied at once.
    static let wholeBytes = 64 << 10
    private static let endOfStream = -1

    init(_ content: Content, progressed: @escaping () -> Void, pause: @escaping () -> Void) {
        (self.content, self.progressed, self.pause) = (content, progressed, pause)
    }

    /// The size; the largest number if it is unknown.
    var size: UInt64 {
        switch content {
        case .bytes(let bytes): UInt64(bytes.count)
        case .events: .max
        }
    }

    func read(from position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch content {
        case .bytes(let bytes):
            let piece = bytes[position...].prefix(buffer.count)
            buffer.copyBytes(from: piece)
            progressed()
            return piece.isEmpty ? BodySource.endOfStream : piece.count
        case .events(let stream):
            let count = stream.take(into: buffer)
            if count > 0 {
                progressed()
                return count
            }
            if stream.hasEnded { return BodySource.endOfStream }
            pause()
            return 0
        }
    }
}

private let readBody: MHD_ContentReaderCallback = { context, position, buffer, size in
    guard let context else { return -1 }
    let source = Unmanaged<BodySource>.fromOpaque(context).takeUnretainedValue()
    return source.read(from: Int(position), into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

private let releaseBody: MHD_ContentReaderFreeCallback = { context in
    if let context { Unmanaged<BodySource>.fromOpaque(context).release() }
}
