// The virtual reader for pcscd, and the tags that lie on it.

import Foundation
import Glibc
import Oracles
import Synchronization

/// A pcscd with vpcd's reader. It needs Debian's packages of both, and the right to start pcscd.
final class VirtualReader {
    private var daemon: Dialogue?

    private static let program = "/usr/sbin/pcscd"
    private static let socket = "/run/pcscd/pcscd.comm"

    static var isThere: Bool {
        geteuid() == 0 && access(program, X_OK) == 0 && access("/etc/reader.conf.d/vpcd", R_OK) == 0
            && access(socket, F_OK) != 0
    }

    init() async throws { try await start() }

    deinit { stop() }

    func start() async throws {
        daemon = try Dialogue(VirtualReader.program, ["--foreground"])
        try await waitUntil { access(VirtualReader.socket, F_OK) == 0 }
    }

    func stop() {
        daemon?.signal(SIGTERM)
        _ = daemon?.exitStatus()
        daemon = nil
        unlink(VirtualReader.socket)
    }
}

/// A tag that lies on the reader until its release.
final class VirtualTag {
    private let descriptor: Int32
    private let isThere = Atomic(true)

    private static let port: in_port_t = 0x8C7B
    /// The ATR of a tag in the virtual reader.
    private static let usualGreeting: [UInt8] = [
        0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03, 0x00, 0x01, 0, 0, 0, 0, 0x6A,
    ]

    /// Lays a tag on the reader that sends this answer to a request for its identifier.
    init(answer: [UInt8], greeting: [UInt8] = usualGreeting) async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = VirtualTag.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        self.descriptor = descriptor
        try await waitUntil {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
        Thread.detachNewThread {
            VirtualTag.serve(descriptor, greeting, answer)
        }
    }

    convenience init(_ identifier: [UInt8]) async throws {
        try await self.init(answer: identifier + [0x90, 0x00])
    }

    deinit {
        takeAway()
    }

    /// Removes the tag for good.
    func takeAway() {
        if isThere.exchange(false, ordering: .relaxed) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Each message is preceded by its length. Only this thread closes the descriptor, so that its number
    /// is not reused while it serves.
    private static func serve(_ descriptor: Int32, _ greeting: [UInt8], _ answer: [UInt8]) {
        defer { close(descriptor) }
        while let head = read(descriptor, 2), let message = read(descriptor, Int(head[0]) << 8 | Int(head[1])) {
            switch message {
            case [0], [1], [2]: continue
            case [4]: send(descriptor, greeting)
            case [0xFF, 0xCA, 0, 0, 0]: send(descriptor, answer)
            default: send(descriptor, [0x6D, 0x00])
            }
        }
    }

    private static func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let piece = bytes.withUnsafeMutableBytes { room in
                recv(descriptor, UnsafeMutableRawBufferPointer(rebasing: room[done...]).baseAddress, count - done, 0)
            }
            guard piece > 0 else { return nil }
            done += piece
        }
        return bytes
    }

    private static func send(_ descriptor: Int32, _ message: [UInt8]) {
        let bytes = [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
