// Lines over a connected socket, without blocking.

import Glibc

/// The received lines and the unsent bytes of one connection. Its owner closes the socket.
package struct LineStream {
    package let descriptor: Int32
    package var lines = LineBuffer()
    /// The bytes that the kernel has not accepted yet.
    package private(set) var unsent: ArraySlice<UInt8> = []

    /// The bound on the bytes of one send or receive.
    private static let pieceBytes = 1 << 16

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Queues bytes, and sends until the socket is full. Returns false if the connection is lost.
    package mutating func send(_ bytes: [UInt8]) -> Bool {
        unsent += bytes
        return flush()
    }

    /// Sends queued bytes until the socket is full. Returns false if the connection is lost.
    package mutating func flush() -> Bool {
        while !unsent.isEmpty {
            let sent = unsent.prefix(LineStream.pieceBytes).withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent < 0, errno == EINTR { continue }
            if sent < 0 { return errno == EAGAIN }
            unsent = unsent.dropFirst(sent)
        }
        unsent = []
        return true
    }

    /// Receives into the line buffer. Returns false if the stream has ended or the connection is lost.
    package mutating func receive() -> Bool {
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: LineStream.pieceBytes) { buffer, filled in
            count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            filled = max(count, 0)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        lines.add(piece[...])
        return count > 0
    }
}
