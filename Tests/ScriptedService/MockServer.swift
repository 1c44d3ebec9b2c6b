// The mock service: it sends scripted lines over a real socket.

import API
import Foundation
import JSON
import Oracles
import Synchronization
import System

/// A server on its own socket that answers each request by a script.
package final class MockServer: Sendable {
    /// One step of the answer to a request.
    package enum Turn: Sendable {
        /// A line; a newline is appended.
        case line(String)
        /// Raw bytes, sent unchanged.
        case bytes([UInt8])
        case close
        /// A pause before the next step.
        case pause(milliseconds: UInt32)
        /// No answer at all.
        case silence
    }

    private let scratch: Scratch
    private let listener: Int32
    private let script: @Sendable (JSON) -> [Turn]
    private let heard = Mutex<[JSON]>([])

    package init(_ script: @escaping @Sendable (JSON) -> [Turn]) throws {
        scratch = try Scratch()
        self.script = script
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let address = SocketAddress(path: "\(scratch.path)/control.sock")
        guard address?.with({ bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            close(listener)
            throw POSIXError(.EADDRINUSE)
        }
        self.listener = listener
        Thread.detachNewThread { [weak self] in
            // Only the accepting thread closes the listener. An earlier close could free its number.
            defer { close(listener) }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                guard let server = self else {
                    close(connection)
                    continue
                }
                Thread.detachNewThread { server.serve(connection) }
            }
        }
    }

    /// Answers by the request's verb. An unlisted verb gets an error.
    package convenience init(_ answers: [String: String]) throws {
        try self.init { request in
            let verb = request.text("do") ?? ""
            return [.line(answers[verb] ?? #"{"ok":false,"reason":"malformed","message":"no \#(verb) here"}"#)]
        }
    }

    /// Returns a server that answers `follow` by these lines and closes the connection. It refuses the next
    /// `follow`, which ends the command.
    package static func following(_ turns: [Turn], others: [String: String] = [:]) throws -> MockServer {
        let count = Mutex(0)
        return try MockServer { request in
            guard request.text("do") == "follow" else { return [.line(others[request.text("do") ?? ""] ?? "{}")] }
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? turns + [.close] : [.line(#"{"ok":false,"reason":"busy","message":"This is the end"}"#)]
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    package var path: String { "\(scratch.path)/control.sock" }

    /// Every request so far.
    package var requests: [JSON] { heard.withLock { $0 } }

    /// Returns the last request with that verb, without the verb, or nil if there was none.
    package func request(_ verb: String) -> String? {
        guard case .object(let members)? = requests.last(where: { $0.text("do") == verb }) else { return nil }
        return JSON.object(members.filter { $0.name != "do" }).description
    }

    private func serve(_ connection: Int32) {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            while let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(received[..<end])
                received.removeSubrange(...end)
                guard let request = try? JSON(parsing: line) else { return closing(connection) }
                heard.withLock { $0.append(request) }
                for turn in script(request) {
                    switch turn {
                    case .line(let text): send(Array("\(completed(text, for: request))\n".utf8), connection)
                    case .bytes(let bytes): send(bytes, connection)
                    case .close: return closing(connection)
                    case .pause(let milliseconds): usleep(milliseconds * 1000)
                    case .silence: break
                    }
                }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return closing(connection) }
            received += chunk.prefix(count)
        }
    }

    private func completed(_ line: String, for request: JSON) -> String {
        let type = RequestSpec.all.first { $0.spec.name == request.text("do") }
        // A line that is not a JSON response is sent unchanged.
        guard let type, let response = try? JSON(parsing: Array(line.utf8)) else { return line }
        return response.completed(for: type).description
    }

    private func closing(_ connection: Int32) { close(connection) }

    private func send(_ bytes: [UInt8], _ connection: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Runs the real command line against this server.
    package func rooster(_ arguments: String..., input: String = "") throws -> Program {
        try rooster(arguments, input: input)
    }

    package func rooster(_ arguments: [String], input: String = "") throws -> Program {
        try Program(
            Program.built("rooster"), arguments, input: input,
            environment: ["ROOSTER_SOCKET": path, "TZDIR": "/usr/share/zoneinfo"])
    }
}

extension JSON {
    package func text(_ name: String) -> String? {
        guard case .object(let members) = self,
            case .string(let text)? = members.first(where: { $0.name == name })?.value
        else { return nil }
        return text
    }
}
