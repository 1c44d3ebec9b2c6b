// The tests of a control socket that cannot open at the start: it opens later, without a restart.

import Fixtures
import Foundation
import Oracles
import Testing

@Suite struct ControlEndpointsTests {
    @Test func socket_isOpened_whenItsPlaceIsFree() throws {
        let scratch = try Scratch()
        let files = FileManager.default
        let place = "\(scratch.path)/place"
        let socket = "\(place)/s"
        let daemon = try DaemonFixture(scratch.path, socket: socket, isReady: false)
        var said = try daemon.hear("\(socket): No such file or directory")
        // Alarms can ring meanwhile.
        said += try daemon.hear("Ready to ring, but alarms cannot be changed until the socket \(socket) is open")
        // The directory appears together with the file, so the service cannot find it empty.
        try files.createDirectory(atPath: "\(scratch.path)/new", withIntermediateDirectories: false)
        _ = try scratch.file("new/s", holding: "somebody else's")
        try files.moveItem(atPath: "\(scratch.path)/new", toPath: place)
        said += try daemon.hear("\(socket): Address already in use")
        try files.removeItem(atPath: socket)
        said += try daemon.hear("Alarms can be changed")
        #expect(try daemon.client().ask(#"{"do":"status"}"#)["ok"] == .bool(true))
        // Each reason is logged once, however often the service has retried.
        #expect(said.split(separator: "Alarms cannot be changed").count == 3, "\(said)")
        #expect(daemon.end() == 0)
        #expect(!files.fileExists(atPath: socket))
    }

    /// The socket for clients over HTTP is beside the control socket, and admits no client without a token.
    @Test func webSocket_isOpenedBesideTheControlSocket() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try Client(of: "\(scratch.path)/web.sock")
        #expect(try client.ask(#"{"do":"alarms"}"#)["error.code"] == .string("unpaired"))
        #expect(try client.ask(#"{"do":"hello"}"#)["simulated"] == .bool(true))
        #expect(daemon.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/web.sock"))
    }

    /// Another program listens at the socket's path, accepts no connection, and has a full backlog.
    @Test func alarm_rings_whenAnotherProgramHoldsTheSocket() throws {
        let scratch = try Scratch()
        let state = "\(scratch.path)/state"
        let first = try DaemonFixture(state)
        try first.client().ask(#"{"do":"add","alarm":{"id":"work","time":"15:00","repeat":"FREQ=DAILY"}}"#)
        #expect(first.end() == 0)
        let place = "\(scratch.path)/deaf"
        let somebody = try DeafListener(at: place)
        let daemon = try DaemonFixture(state, socket: place, clock: "2024-03-10T14:59:55-04:00", isReady: false)
        try daemon.hear("\(place): Address already in use")
        try daemon.hear("Alarm work on 2024-03-10 at 15:00 plays")
        #expect(daemon.end() == 0)
        withExtendedLifetime(somebody) {}
    }

    /// A listening socket with a full backlog.
    private final class DeafListener {
        private var descriptors: [Int32] = []

        init(at path: String) throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            func with(_ act: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
                withUnsafePointer(to: address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        act($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
            }
            let listening = opened()
            guard with({ bind(listening, $0, $1) }) == 0, listen(listening, 1) == 0 else { throw POSIXError(.EINVAL) }
            while with({ connect(opened(), $0, $1) }) == 0 {}
            guard errno == EAGAIN else { throw POSIXError(.EINVAL) }
        }

        private func opened() -> Int32 {
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            descriptors.append(socket(AF_UNIX, kind, 0))
            return descriptors[descriptors.count - 1]
        }

        deinit {
            for descriptor in descriptors { close(descriptor) }
        }
    }
}
