// The sockets to listen on: those that systemd passes, or those of the command line.

import Glibc
import System
import WebServer

extension Listener {
    /// Returns all sockets to listen on. Throws if there is none.
    static func all(_ arguments: WebArguments) throws -> [Listener] {
        guard arguments.listen.isEmpty else {
            return try arguments.listen.map { text throws(ListenFailure) in
                if let (address, port) = text.port, !text.hasPrefix("/") { return try Listener(address, port: port) }
                return try Listener(path: text)
            }
        }
        let listeners = fromSystemd
        guard !listeners.isEmpty else { throw NothingToListenOn() }
        return listeners
    }

    /// The sockets that systemd has passed, from descriptor 3 on (sd_listen_fds(3)).
    private static var fromSystemd: [Listener] {
        func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), count > 0 else { return [] }
        return (0..<count).map { Listener(adopting: 3 + $0, name: "socket \($0 + 1) of systemd") }
    }
}

struct NothingToListenOn: Error, CustomStringConvertible {
    let description = "There is nothing to listen on: give --listen 127.0.0.1:8080, or start rooster-web.socket"
}
