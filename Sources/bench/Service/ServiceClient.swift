// Whoever speaks to a service by its socket.

import Glibc
import JSON
import Loop

/// One connection. It waits ten seconds for an answer.
final class ServiceClient {
    private let descriptor: Int32

    init(of path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard SocketAddress(path: path)?.with({ connect(descriptor, $0, $1) }) == 0 else {
            throw BenchmarkRefusal.wrongAnswer("nobody answers at \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    func say(_ line: String) throws {
        let bytes = Array("\(line)\n".utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw BenchmarkRefusal.wrongAnswer("roosterd does not listen: \(String(cString: strerror(errno)))")
        }
    }

    /// The next line, which has to say that it was done.
    func hear() throws -> JSON {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) == 1 {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            let answer = try JSON(parsing: line)
            guard answer["ok"] == .bool(true) else { throw BenchmarkRefusal.wrongAnswer("roosterd says \(answer)") }
            return answer
        }
        throw BenchmarkRefusal.wrongAnswer("roosterd does not answer")
    }

    @discardableResult
    func ask(_ line: String) throws -> JSON {
        try say(line)
        return try hear()
    }
}

extension JSON {
    /// The member of that name, or the first element.
    subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    var first: JSON? {
        guard case .array(let elements) = self else { return nil }
        return elements.first
    }
}
